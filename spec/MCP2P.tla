------------------------------- MODULE MCP2P -------------------------------
(* Small instances of CatanP2P, on the strips of MCStrip. *)
EXTENDS CatanP2P, MCStrip
=============================================================================
