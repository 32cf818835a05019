"""The picture as plain values: shapes, colours, words, layout. Nothing here needs pygame."""
