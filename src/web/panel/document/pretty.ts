import { parseJson } from '../../../domain/json.ts';

/** JSON with a line for each field; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

// A tag or CDATA without end reaches to the end of the text: no alternative is tried twice.
const tokens = /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*(?:\]\]>)?|<[^>]+>?|[^<]+/g;
/** Deeper elements are not indented further. */
const deepest = 20;

/** XML with a line for each element, also that of a document wrapped in CDATA. Only for looking at. */
export function prettyXml(text: string, depth = 0): string {
  const lines: string[] = [];
  let level = depth;
  let open = false;
  const put = (line: string) => lines.push('  '.repeat(Math.min(Math.max(0, level), deepest)) + line);
  for (const [token] of text.matchAll(tokens)) {
    if (token.trim() === '') continue;
    if (token.startsWith('<![CDATA[')) {
      const inner = token.slice(9, -3).trim();
      // A document is wrapped once.
      if (depth > 0 || !inner.startsWith('<')) lines[lines.length - 1] += token;
      else {
        put('<![CDATA[');
        lines.push(prettyXml(inner, level + 1));
        put(']]>');
      }
      open = false;
    } else if (token.startsWith('</')) {
      level -= 1;
      // An element that holds only text stays on one line.
      if (open) lines[lines.length - 1] += token;
      else put(token);
      open = false;
    } else if (token.startsWith('<')) {
      put(token);
      open = !/^<[?!]|\/>$/.test(token);
      if (open) level += 1;
    } else lines[lines.length - 1] += token.trim();
  }
  return lines.join('\n');
}
