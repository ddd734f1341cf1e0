/** Colours, letters and the frame of the page. Every text colour is at least 4.5:1 on its ground (WCAG AA). */
export const frameStyle = `
:root { color-scheme: light dark;
  --ground: light-dark(#f5f6f8, #0d1117); --side: light-dark(#ffffff, #11161e); --card: light-dark(#ffffff, #151b24);
  --line: light-dark(#e1e5ea, #262e3a); --ink: light-dark(#161b22, #e8ecf1); --soft: light-dark(#586271, #98a3b3);
  --accent: light-dark(#0b6355, #5fd0b8); --wash: light-dark(#e8f3f0, #16302c); --hover: light-dark(#f3f6f7, #1a222d);
  --ok: light-dark(#0b6b3a, #6fdc9d); --ok-wash: light-dark(#ddf4e6, #12301f);
  --wait: light-dark(#855200, #f2bd5c); --wait-wash: light-dark(#fdf0d3, #352810);
  --bad: light-dark(#b3202c, #ff9b9b); --bad-wash: light-dark(#fde6e7, #3b171b);
  --note: light-dark(#2a55b8, #9dbcff); --note-wash: light-dark(#e6eefc, #172544);
  --fresh: light-dark(#d3efe6, #1d4038);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 14.5px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  display: grid; grid-template-columns: 226px minmax(0, 1fr); }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 12px; top: 12px; background: var(--card); padding: 8px 14px; z-index: 9; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#cabecera { background: var(--side); border-right: 1px solid var(--line); padding: 20px 14px; position: sticky; top: 0;
  height: 100vh; display: flex; flex-direction: column; gap: 20px; }
.brand { display: flex; align-items: center; gap: 10px; color: var(--ink); text-decoration: none; line-height: 1.15;
  padding: 0 8px; font-size: 13.5px; }
.brand b { display: block; font-size: 16px; letter-spacing: -.01em; }
#menu { display: grid; gap: 2px; }
#menu a { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 7px 10px; border-radius: 8px;
  color: var(--soft); text-decoration: none; font-weight: 500; white-space: nowrap; }
#menu a:hover { background: var(--hover); color: var(--ink); }
#menu a[aria-current] { background: var(--wash); color: var(--accent); font-weight: 600; }
.pill { font-size: 12px; font-weight: 600; line-height: 1; padding: 4px 7px; border-radius: 99px; background: var(--ground);
  color: var(--soft); font-variant-numeric: tabular-nums; }
.pill.bad { background: var(--bad-wash); color: var(--bad); } .pill.wait { background: var(--wait-wash); color: var(--wait); }
.clock { margin-top: auto; display: grid; padding: 11px 12px; border: 1px solid var(--line); border-radius: 10px; color: var(--ink);
  text-decoration: none; font-size: 12.5px; } .clock:hover { background: var(--hover); }
.clock time { display: flex; justify-content: space-between; font-weight: 600; font-size: 14px; font-variant-numeric: tabular-nums; }
.pulse { margin: 0; padding: 0 12px; font-size: 12.5px; color: var(--soft); }
.pulse.alive::before, .pulse.lost::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%;
  margin-right: 7px; background: var(--ok); box-shadow: 0 0 0 3px var(--ok-wash); }
.pulse.lost { color: var(--bad); } .pulse.lost::before { background: var(--bad); box-shadow: 0 0 0 3px var(--bad-wash); }
main { padding: 30px clamp(16px, 3vw, 40px) 64px; width: 100%; max-width: 1340px; min-width: 0; }
h1 { font-size: 24px; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 4px; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
h2 { font-size: 14.5px; margin: 0; letter-spacing: -.005em; }
.lead { margin: 0 0 20px; color: var(--soft); max-width: 75ch; } .lead strong { color: var(--ink); }
.soft, .under { color: var(--soft); } .under { display: block; font-size: 12.5px; font-weight: 400; }
code, pre { font-family: var(--mono); font-size: 12.5px; } .key { overflow-wrap: anywhere; }
@media (max-width: 820px) {
  body { display: block; }
  #cabecera { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); display: grid;
    grid-template-columns: 1fr auto; gap: 10px 12px; padding: 12px 16px 0; align-items: center; }
  .brand { padding: 0; } .clock { margin: 0; padding: 5px 10px; grid-row: 1; grid-column: 2; } .clock .soft, .clock .day { display: none; }
  .pulse { display: none; } .pulse.lost { display: block; grid-column: 1 / -1; padding: 0; }
  #menu { grid-column: 1 / -1; grid-auto-flow: column; justify-content: start; overflow-x: auto; margin: 0 -16px; padding: 2px 16px 10px; }
  main { padding-top: 20px; }
}
`;
