
// A game that is followed: its steps come from the program that has sent the page, over one connection.
const SOONEST_MS = 1000;

function follow() {
  const socket = new WebSocket(`ws://${location.host}/steps`);
  socket.onmessage = ({ data }) => {
    const { root, kept, steps: added, problem } = JSON.parse(data);
    if (root !== game.root) return location.reload();
    const isLast = at >= steps.length - 1;
    take(kept, added);
    $("problem").textContent = problem;
    go(isLast && !timer ? steps.length - 1 : at);
  };
  socket.onclose = () => {
    $("problem").textContent = "The program that follows the game cannot be reached.";
    setTimeout(follow, SOONEST_MS);
  };
}

follow();
