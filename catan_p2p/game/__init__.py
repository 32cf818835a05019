"""The game itself, the mirror of spec/Catan.tla: state, actions, rules, board, cards. No I/O, no Git, no pixels."""
