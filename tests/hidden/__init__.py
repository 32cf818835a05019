"""Games of hidden hands: what is public agrees with the true game, and nobody lies or sees more than they may."""
