/** The pieces pages are made of. */
export const partsStyle = `
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 0 0 18px; overflow: clip; min-width: 0; }
.card > header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 6px 14px; padding: 12px 16px;
  border-bottom: 1px solid var(--line); } .card > header a { font-size: 13px; }
.pad { padding: 0 16px; } details.pad { padding-bottom: 14px; } .card > details.pad:nth-child(2) { padding-top: 14px; } .empty { margin: 0; padding: 18px 16px; color: var(--soft); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); gap: 18px; align-items: start; margin-bottom: 18px; }
.grid > .card { margin: 0; } .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.05fr); gap: 18px; }
@media (max-width: 1080px) { .columns { grid-template-columns: minmax(0, 1fr); gap: 0; } }
.badge { display: inline-block; font-size: 12.5px; font-weight: 600; line-height: 1; padding: 5px 9px; border-radius: 99px; white-space: nowrap;
  background: var(--ground); color: var(--soft); font-variant-numeric: tabular-nums; letter-spacing: 0; }
.badge.ok { background: var(--ok-wash); color: var(--ok); } .badge.wait { background: var(--wait-wash); color: var(--wait); }
.badge.bad { background: var(--bad-wash); color: var(--bad); } .badge.note { background: var(--note-wash); color: var(--note); }
.table { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin-bottom: 18px; }
.card > .table { border: 0; border-radius: 0; margin: 0; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: 12px; font-weight: 600; color: var(--soft); padding: 10px 12px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 10px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } th:first-child, td:first-child { padding-left: 16px; } th:last-child, td:last-child { padding-right: 16px; } tbody tr:last-child td { border-bottom: 0; }
.num { text-align: right; font-variant-numeric: tabular-nums; } td.total { font-weight: 600; white-space: nowrap; }
td time { white-space: nowrap; display: inline-flex; flex-direction: column-reverse; font-variant-numeric: tabular-nums; } td time .day { color: var(--soft); font-size: 12.5px; } .head { margin-bottom: 4px; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; }
tr[data-row] { position: relative; } tr[data-row]:hover { background: var(--hover); }
.cover { color: var(--ink); font-weight: 600; text-decoration: none; font-variant-numeric: tabular-nums; white-space: nowrap; }
.cover::after { content: ""; position: absolute; inset: 0; } .cover:focus-visible { outline: 0; } .cover:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; }
.reason { display: block; font-size: 12px; color: var(--bad); margin-top: 5px; max-width: 26ch; line-height: 1.35; }
.name { display: block; overflow-wrap: anywhere; } .narrow { display: none; }
@media (max-width: 820px) { .wide { display: none; } .narrow { display: grid; gap: 5px; justify-items: start; overflow-wrap: anywhere; } .filter label { flex: 1 1 auto; } .filter select { width: 100%; } td, th { padding-inline: 12px; } }
.tiles { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 12px; margin: 16px 0; }
.tile { display: block; padding: 12px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; color: var(--soft);
  text-decoration: none; font-size: 13px; } .tile:hover { border-color: var(--soft); } .tile[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.count { display: block; font-size: 26px; font-weight: 650; line-height: 1.2; letter-spacing: -.02em; color: var(--ink); font-variant-numeric: tabular-nums; }
.tile.autorizado .count { color: var(--ok); } .tile.proceso .count { color: var(--wait); } .tile.error .count { color: var(--bad); }
@media (max-width: 560px) { .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
form { margin: 0; } label { font-weight: 500; } .filter { display: flex; flex-wrap: wrap; gap: 10px; margin-bottom: 16px; } .grow { flex: 1 1 220px; min-width: 0; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid light-dark(#8a94a3, #667285); border-radius: 8px; padding: 7px 11px; min-height: 36px; max-width: 100%; }
input[type=search] { width: 100%; } input[type=checkbox] { min-height: 0; width: 17px; height: 17px; vertical-align: -3px; accent-color: var(--accent); }
::placeholder { color: var(--soft); opacity: 1; }
button { font-weight: 600; font-size: 13.5px; padding: 5px 13px; cursor: pointer; white-space: nowrap; } button:hover { background: var(--hover); border-color: var(--ink); } button:disabled { opacity: .6; cursor: default; }
.danger { color: var(--bad); border-color: var(--bad); } .live .filter button { display: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; padding: 14px 16px; align-items: end; } .buttons label { display: grid; gap: 4px; font-size: 13px; } .bar { margin: 0 0 16px; }
summary { cursor: pointer; font-size: 13px; color: var(--soft); } details[open] > summary { margin-bottom: 10px; } .check { margin-right: 12px; }
.facts { margin: 0; padding: 6px 16px; } .facts > div { display: grid; grid-template-columns: minmax(110px, 34%) minmax(0, 1fr); gap: 12px; padding: 7px 0; }
.facts > div + div { border-top: 1px solid var(--line); } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.notice { margin: 0 0 16px; padding: 10px 16px; border-radius: 10px; font-weight: 500; background: var(--ok-wash); color: var(--ok); } .notice.bad { background: var(--bad-wash); color: var(--bad); }
.messages { border-radius: 12px; padding: 12px 16px; margin: 0 0 18px; background: var(--note-wash); } .messages h2 { color: var(--note); }
.messages.bad { background: var(--bad-wash); } .messages.bad h2 { color: var(--bad); } .messages ul { margin: 6px 0 0; padding-left: 18px; } .messages li span { display: block; overflow-wrap: anywhere; }
.history { list-style: none; margin: 0; padding: 12px 16px; } .history li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; padding: 5px 0 5px 20px; position: relative; font-size: 13.5px; }
.history li::before { content: ""; position: absolute; left: 1px; top: 12px; width: 8px; height: 8px; border-radius: 50%; background: var(--soft); } .history time { color: var(--soft); font-variant-numeric: tabular-nums; }
.history .ok::before { background: var(--ok); } .history .bad::before { background: var(--bad); } .history .wait::before { background: var(--wait); }
.deliveries { list-style: none; margin: 0; padding: 0; } .deliveries > li { padding: 12px 16px; } .deliveries > li + li { border-top: 1px solid var(--line); }
.delivery { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; } .deliveries details { margin-top: 6px; overflow-wrap: anywhere; } .attempt p { margin: 8px 0; } .attempt .facts { padding: 0; font-size: 13px; }
pre { margin: 0; padding: 14px 16px; overflow: auto; max-height: 460px; line-height: 1.55; tab-size: 2; }
.c-key { color: var(--accent); } .c-text { color: var(--note); } .c-num { color: var(--wait); }
.ride { display: block; width: 100%; aspect-ratio: 1 / 1.44; border: 0; background: light-dark(#eceff2, #0d1117); color-scheme: light; }
.faults { list-style: none; margin: 0; padding: 0; } .faults > li { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 11px 16px; } .faults > li + li { border-top: 1px solid var(--line); }
.inline { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; } .inline label { display: grid; font-size: 12px; color: var(--soft); } .inline input, .inline select { color: var(--ink); } .few { width: 92px; }
.face { padding: 22px 20px; } .face p { margin: 0; } .big { font-size: 34px; font-weight: 650; letter-spacing: -.02em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.crumbs { margin-bottom: 8px; font-size: 13px; } .pager { display: flex; gap: 16px; align-items: center; justify-content: center; color: var(--soft); }
.welcome { padding: 22px 22px 10px; margin-top: 8px; } .welcome pre { background: var(--ground); border-radius: 8px; margin: 12px 0; }
@media (prefers-reduced-motion: no-preference) { a, button, .tile { transition: background-color .12s, border-color .12s; } }
`;
