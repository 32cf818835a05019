"use strict";
const $ = id => document.getElementById(id);
const game = JSON.parse($("game").textContent);
const { points, roads, tiles, players, first } = game;
// A state is the list of values of steps.py: points, roads, four general values, and seven values of each player.
const PLAYER = 7, general = points.length + roads.length, hands = general + 4;
const SVG = document.querySelector("svg").namespaceURI;
const TURN_ENDS = 1, ROUND_ENDS = 2, SEVEN = 4;
const steps = [], states = [];
let at = 0, timer = 0;

function add(parent, kind, text = "") {
  const made = parent.appendChild(document.createElement(kind));
  made.textContent = text;
  return made;
}

for (const { name, tone } of players) {
  const row = add($("players").tBodies[0], "tr"), head = add(row, "th", name);
  head.scope = "row";
  head.style.borderLeftColor = tone;
  for (let i = 0; i < 4; i++) add(row, "td");
}

// Keep this many steps, and add these.
function take(kept, added) {
  const log = $("log"), lines = document.createDocumentFragment();
  steps.length = states.length = kept;
  while (log.children.length > kept) log.lastChild.remove();
  for (const step of added) {
    const state = (states[states.length - 1] ?? first).slice();
    for (let i = 0; i < step.d.length; i += 2) state[step.d[i]] = step.d[i + 1];
    steps.push(step);
    states.push(state);
    const line = add(lines, "li", step.w);
    line.id = `step${steps.length - 1}`;
    line.setAttribute("role", "option");
    line.style.borderLeftColor = players[step.p].tone;
  }
  log.append(lines);
  $("at").max = steps.length - 1;
}

function piece(kind, [x, y], name = "") {
  const made = document.createElementNS(SVG, "use");
  for (const [key, value] of Object.entries({ href: `#${kind}`, x, y })) made.setAttribute(key, value);
  made.setAttribute("role", name ? "img" : "presentation");
  if (name) {
    made.setAttribute("aria-label", name);
    made.appendChild(document.createElementNS(SVG, "title")).textContent = name;
  }
  return made;
}

function draw() {
  if (!steps.length) return;
  const now = states[at], before = states[Math.max(0, at - 1)];
  const [bandit, dice, active, phase] = now.slice(general, hands);
  const glows = [], built = [];
  roads.forEach(([x, y, slope, name], i) => {
    const owner = now[points.length + i];
    if (owner) built.push(piece(`road${owner}-${slope}`, [x, y], `${players[owner - 1].name}: road between ${name}`));
    if (owner !== before[points.length + i]) glows.push(piece("new", [x, y]));
  });
  points.forEach(([x, y, name], i) => {
    const kind = now[i] % 2 ? "village" : "city", owner = Math.ceil(now[i] / 2);
    if (owner) built.push(piece(`${kind}${owner}`, [x, y], `${players[owner - 1].name}: ${kind} at ${name}`));
    if (now[i] !== before[i]) glows.push(piece("new", [x, y]));
  });
  if (dice && dice !== before[general + 1]) {
    for (const [x, y, number] of tiles) if (number === dice) glows.push(piece("rolled", [x, y]));
  }
  const [, , , x, y, name] = tiles[bandit - 1];
  $("pieces").replaceChildren(...glows, ...built, piece("bandit", [x, y], `bandit on ${name}`));
  players.forEach(({ name }, i) => {
    const [score, cards, bought, knights, road, army, away] = now.slice(hands + PLAYER * i, hands + PLAYER * (i + 1));
    const row = $("players").tBodies[0].rows[i];
    row.className = away ? "away" : i + 1 === active ? "acts" : "";
    row.setAttribute("aria-current", i + 1 === active);
    row.cells[0].textContent = name + (road ? " · longest road" : "") + (army ? " · largest army" : "") + (away ? " · left" : "");
    [score, cards, bought, knights].forEach((value, j) => { row.cells[j + 1].textContent = value; });
  });
  $("words").setAttribute("aria-live", timer ? "off" : "polite");
  $("words").textContent = `${at} of ${steps.length - 1}: ${steps[at].w}` + (phase ? ` (${phase})` : "");
  const log = $("log"), line = log.children[at];
  log.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
  line.setAttribute("aria-selected", true);
  log.setAttribute("aria-activedescendant", line.id);
  // Again when the lines around it have their heights.
  const show = () => log.children[at].scrollIntoView({ block: "center" });
  show();
  requestAnimationFrame(show);
  $("at").value = at;
  $("at").setAttribute("aria-valuetext", `${at} of ${steps.length - 1}`);
  $("play").textContent = timer ? "stop" : "play";
}

function go(to) {
  at = Math.min(Math.max(0, to), steps.length - 1);
  if (at === steps.length - 1) stop();
  draw();
}

// To the next step that is marked so, or the last one before.
function seek(marked, way) {
  let to = at + way;
  while (to > 0 && to < steps.length - 1 && !(steps[to].s & marked)) to += way;
  go(to);
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

function faster(by) {
  const select = $("speed");
  select.selectedIndex = Math.min(Math.max(0, select.selectedIndex + by), select.length - 1);
  if (timer) play();
}

const KEYS = {
  ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(steps.length - 1),
  ArrowUp: () => seek(TURN_ENDS, -1), ArrowDown: () => seek(TURN_ENDS, 1),
  PageUp: () => seek(ROUND_ENDS, -1), PageDown: () => seek(ROUND_ENDS, 1), 7: () => seek(SEVEN, 1),
  " ": () => { if (timer) { stop(); draw(); } else play(); },
  "+": () => faster(1), "-": () => faster(-1), "?": () => $("help").showModal(),
};

addEventListener("keydown", event => {
  // A select takes keys itself, and a focused button takes the space.
  const { key, target } = event, typed = target.matches("select") || (key === " " && target.matches("button"));
  if (!KEYS[key] || event.ctrlKey || event.altKey || event.metaKey || $("help").open || typed) return;
  event.preventDefault();
  KEYS[key]();
});
document.querySelector("footer").addEventListener("click", event => {
  const key = event.target.dataset.key;
  if (key) KEYS[key]();
});
$("help").addEventListener("click", () => $("help").close());
$("at").addEventListener("input", event => go(+event.target.value));
$("speed").addEventListener("change", () => { if (timer) play(); });
$("log").addEventListener("click", event => {
  if (event.target.matches("li")) go([...$("log").children].indexOf(event.target));
});
take(0, game.steps);
draw();
