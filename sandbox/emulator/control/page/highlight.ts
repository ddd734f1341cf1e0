import { type Html, html } from '../../../../src/domain/text.ts';

// Colouring every token of a huge document each second would be slow; its beginning is enough to look at.
const longest = 60_000;

type Painter = (token: RegExpExecArray) => Html;

/** A value as indented, coloured JSON. */
export function json(value: unknown): Html {
  // Where the text was cut, a string has no end; it is one all the same, and nothing in it is tried again.
  const token =
    /("(?:\\.|[^"\\])*(?:"|\\?$))(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return paint(JSON.stringify(value, null, 2), token, ([all, text, colon]) => {
    if (text === undefined) return html`<span class="c-num">${all}</span>`;
    if (colon === undefined) return html`<span class="c-text">${text}</span>`;
    return html`<span class="c-key">${text}</span>${colon}`;
  });
}

/** XML without white space between elements, indented and coloured. */
export function xml(text: string): Html {
  const token = /(<[/?]?)([\w:.-]+)|(?<![\w:.-])([\w:.-]+)(=)("[^"]*")/g;
  return paint(indent(text), token, ([, open, name, attribute, equals, value]) =>
    name === undefined
      ? html`<span class="c-num">${attribute}</span>${equals}<span class="c-text">${value}</span>`
      : html`${open}<span class="c-key">${name}</span>`,
  );
}

function paint(text: string, token: RegExp, painter: Painter): Html {
  const shown = text.slice(0, longest);
  const pieces: (string | Html)[] = [];
  let end = 0;
  for (const match of shown.matchAll(token)) {
    pieces.push(shown.slice(end, match.index), painter(match));
    end = match.index + match[0].length;
  }
  const rest = text.length > longest ? `\n… (${text.length - longest} caracteres más)` : '';
  return html`${pieces}${shown.slice(end)}${rest}`;
}

function indent(text: string): string {
  let depth = 0;
  let last = '';
  const pieces: string[] = [];
  for (const [whole] of text.matchAll(/<[^<>]*>[^<]*/g)) {
    const piece = whole.trimEnd();
    const closes = piece.startsWith('</');
    if (closes) depth -= 1;
    // An element with text stays on one line with its closing tag.
    const stays = closes && !last.endsWith('>');
    if (last !== '' && !stays) pieces.push(`\n${'  '.repeat(Math.min(Math.max(0, depth), 20))}`);
    pieces.push(piece);
    last = piece;
    if (!closes && !piece.startsWith('<?') && !piece.endsWith('/>')) depth += 1;
  }
  return pieces.join('');
}
