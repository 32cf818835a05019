#!/usr/bin/env bash
# Recomputes the newest roll of the game with joint chance in this repository, and checks a share; docs/how-it-works/chance.md.
# For games without votes and rolls with a call; ignores that a word of fffffffc or more is skipped.

roll=$(git log -1 --format=%H --grep='^Action: roll_dice')
game=$(git rev-list --max-parents=0 "$roll")
call=$(git rev-parse "$roll^1")
value() { git log -1 --format=%B "$1" | sed -n "s/^$2: //p"; }
draw=$(value "$call" Draw)
shares=$(for commit in $(git log -1 --format=%P "$roll"); do
    echo "$(value "$commit" Player) $(value "$commit" Share)"
done | sort -n)
block=$(printf 'catan-p2p draw 1\n%s\n%s\n0\n%s\n' "$game" "$draw" "$shares" | sha256sum)
first=$((0x$(echo "$block" | cut -c1-8) % 6 + 1))
second=$((0x$(echo "$block" | cut -c9-16) % 6 + 1))
echo "draw $draw shows $first $second; the log says $(value "$roll" Shows)"

# The newest share of the player on seat 1 leads back to the one before.
seat=1
set -- $(git log --format=%H --author-date-order "$roll" | while read -r commit; do
    [ "$(value "$commit" Player)" = $seat ] && value "$commit" Share
done | head -2)
back=$(printf 'catan-p2p chain 1\n%s\n%s\n%s\n' "$game" "$seat" "$1" | sha256sum | cut -c1-64)
[ "$back" = "$2" ] && echo "the share of seat $seat leads back to the one before"
