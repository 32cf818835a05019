---------------------------- MODULE MCReturning -----------------------------
(* Small instances of CatanReturning. *)
EXTENDS CatanReturning, MCP2P
=============================================================================
