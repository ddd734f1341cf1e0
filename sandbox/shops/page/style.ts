/** The pages of the shop. Every text colour is at least 4.5:1 on its ground (WCAG AA). */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#161b22, #e8ecf1); --soft: light-dark(#586271, #98a3b3);
  --ground: light-dark(#f5f6f8, #0d1117); --card: light-dark(#fff, #151b24); --line: light-dark(#d5dae1, #2f3947);
  --accent: light-dark(#0b6355, #5fd0b8); --on: light-dark(#fff, #0d1117); --bad: light-dark(#b3202c, #ff9b9b); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; padding: 12px 20px;
  background: var(--card); border-bottom: 1px solid var(--line); }
main { max-width: 560px; margin: 24px auto; padding: 0 20px; }
a { color: var(--accent); } header b { color: var(--ink); }
h1 { font-size: 24px; margin: 0 0 8px; } h2 { font-size: 17px; margin: 0; } li { overflow-wrap: anywhere; }
form, dl { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 16px 0; }
fieldset { border: 0; padding: 0; margin: 0 0 12px; } legend, label { font-weight: 600; display: block; }
.product { display: grid; grid-template-columns: auto 1fr auto; gap: 10px; padding: 8px 0; font-weight: 400; min-height: 44px; align-items: center; }
input:not([type=radio]) { font: inherit; width: 100%; padding: 10px; margin: 4px 0 12px; border: 1px solid var(--soft); border-radius: 8px;
  background: var(--ground); color: var(--ink); }
button, .button { font: inherit; font-weight: 600; display: inline-block; padding: 11px 20px; border: 0; border-radius: 8px;
  background: var(--accent); color: var(--on); text-decoration: none; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 16px; } dt { color: var(--soft); } dd { margin: 0; }
code { overflow-wrap: anywhere; font-size: 13px; } .soft { color: var(--soft); margin-top: 0; } .flaw { color: var(--bad); font-weight: 600; }
`;
