"use strict";
const $ = id => document.getElementById(id);
const game = JSON.parse($("game").textContent);
const { points, roads, tiles, players, first, steps } = game;
const PLAYER = 7, general = points.length + roads.length, hands = general + 4;
let at = 0, timer = 0;

// What each step changes, applied to the state before it.
const states = [first];
for (const { d } of steps.slice(1)) {
  const next = states[states.length - 1].slice();
  for (let i = 0; i < d.length; i += 2) next[d[i]] = d[i + 1];
  states.push(next);
}

function cell(row, text) {
  const made = row.appendChild(document.createElement("td"));
  made.textContent = text;
  return made;
}

for (const { name, tone } of players) {
  const row = $("players").tBodies[0].appendChild(document.createElement("tr"));
  cell(row, name).style.borderLeftColor = tone;
  for (let i = 0; i < 4; i++) cell(row, "");
}
for (const { p, w } of steps) {
  const line = $("log").appendChild(document.createElement("li"));
  line.textContent = w;
  line.style.borderLeftColor = players[p].tone;
}
$("at").max = steps.length - 1;

function draw() {
  const now = states[at], before = states[Math.max(0, at - 1)];
  const [bandit, dice, active, phase] = now.slice(general, hands);
  let glows = "", built = "";
  const use = (id, [x, y]) => `<use href="#${id}" x="${x}" y="${y}"/>`;
  roads.forEach(([x, y, slope], i) => {
    const owner = now[points.length + i];
    if (owner) built += use(`road${owner}-${slope}`, [x, y]);
    if (owner !== before[points.length + i]) glows += use("new", [x, y]);
  });
  points.forEach((place, i) => {
    if (now[i]) built += use(now[i] % 2 ? `village${(now[i] + 1) / 2}` : `city${now[i] / 2}`, place);
    if (now[i] !== before[i]) glows += use("new", place);
  });
  if (dice && dice !== before[general + 1]) tiles.forEach(([x, y, n]) => { if (n === dice) glows += use("rolled", [x, y]); });
  $("pieces").innerHTML = glows + built + use("bandit", tiles[bandit - 1].slice(3));
  players.forEach(({ name }, i) => {
    const [score, cards, bought, knights, road, army, away] = now.slice(hands + PLAYER * i, hands + PLAYER * (i + 1));
    const row = $("players").tBodies[0].rows[i];
    row.className = away ? "away" : i + 1 === active ? "acts" : "";
    row.cells[0].textContent = name + (road ? " · longest road" : "") + (army ? " · largest army" : "") + (away ? " · left" : "");
    [score, cards, bought, knights].forEach((value, j) => { row.cells[j + 1].textContent = value; });
  });
  $("words").textContent = `${at} of ${steps.length - 1}: ${steps[at].w}` + (phase ? ` (${phase})` : "");
  const log = $("log"), line = log.children[at];
  log.querySelector(".now")?.classList.remove("now");
  line.classList.add("now");
  log.scrollTop = line.offsetTop - log.clientHeight / 2;
  $("at").value = at;
  $("play").textContent = timer ? "stop" : "play";
}

function go(to) {
  at = Math.min(Math.max(0, to), steps.length - 1);
  if (at === steps.length - 1) stop();
  draw();
}

function stop() {
  clearInterval(timer);
  timer = 0;
}

function play() {
  const speed = +$("speed").value;
  stop();
  if (at === steps.length - 1) at = 0;
  timer = setInterval(() => go(at + 1), 1000 / speed);
  draw();
}

const KEYS = {
  ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(steps.length - 1),
  " ": () => { if (timer) { stop(); draw(); } else play(); },
  "+": () => faster(1), "-": () => faster(-1),
};

function faster(by) {
  const select = $("speed");
  select.selectedIndex = Math.min(Math.max(0, select.selectedIndex + by), select.length - 1);
  if (timer) play();
}

addEventListener("keydown", event => {
  const key = event.key;
  if (!KEYS[key] || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
  event.preventDefault();
  KEYS[key]();
});
document.querySelector("footer").addEventListener("click", event => {
  const key = event.target.dataset.key;
  if (key) { KEYS[key](); event.target.blur(); }
});
$("at").addEventListener("input", event => go(+event.target.value));
$("speed").addEventListener("change", () => { if (timer) play(); });
$("log").addEventListener("click", event => {
  if (event.target.matches("li")) go([...$("log").children].indexOf(event.target));
});
draw();
