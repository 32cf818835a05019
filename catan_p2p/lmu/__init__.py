"""The LMU "Catan-Protokoll" 1.0: a server in front of games on Git, and a client that plays on any server.

docs/guides/lmu.md describes the protocol and what it leaves open.
"""
