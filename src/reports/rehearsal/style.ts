import { chartStyle } from '../charts/style.ts';

/** The look of the report, which is one file: on a screen, on a telephone and on paper. */
export const reportStyle = `
:root { color-scheme: light dark;
  --ground: light-dark(#f4f6f5, #0e1312); --card: light-dark(#ffffff, #161d1b); --line: light-dark(#cfd8d5, #34403d);
  --ink: light-dark(#17211e, #e8efec); --soft: light-dark(#51605b, #a2b1ac); --accent: light-dark(#0b6355, #57c9b1);
  --wash: light-dark(#e7f3ef, #14302a); --odd: light-dark(#8a5a00, #e6b559); --odd-wash: light-dark(#fdf3dd, #332711); }
* { box-sizing: border-box; } html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 3rem; background: var(--card); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; } h2 { font-size: 1.2rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: 1.02rem; margin: 0; } p { margin: 0 0 .9rem; } .soft { color: var(--soft); } .shop { color: var(--soft); font-weight: 600; margin: 0 0 1rem; overflow-wrap: anywhere; }
.verdict { font-size: 1.15rem; padding: .9rem 1.1rem; background: var(--wash); border-left: 4px solid var(--accent); border-radius: 0 10px 10px 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; }
.cards > div { border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
.cards dt { color: var(--soft); font-size: .92rem; } .cards dd { margin: 0; font-size: 1.45rem; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.3; }
.cards dd small { display: block; font-size: .88rem; font-weight: 400; color: var(--soft); }
.obstacle { border: 1px solid var(--line); border-left: 4px solid var(--odd); border-radius: 0 12px 12px 0; padding: .9rem 1.1rem; margin: 0 0 .9rem; break-inside: avoid; }
.obstacle header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1rem; margin: 0 0 .4rem; } .obstacle header strong { color: var(--odd); font-variant-numeric: tabular-nums; }
.obstacle p { margin: 0 0 .4rem; } .obstacle ul { margin: .2rem 0 .4rem; padding-left: 1.2rem; } .obstacle p:last-child { margin: 0; }
.orders { color: var(--soft); font-size: .92rem; overflow-wrap: anywhere; } table.plain { border-collapse: collapse; width: 100%; }
table.plain th, table.plain td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
table.plain th:last-child, table.plain td:last-child { text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; white-space: nowrap; } table.plain thead th { color: var(--soft); font-size: .88rem; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .92rem; }
@media print { :root { color-scheme: light; } body { background: #fff; font-size: 10.5pt; } main { max-width: none; padding: 0; } h2 { break-after: avoid; } .chart, .cards > div { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
${chartStyle}`;
