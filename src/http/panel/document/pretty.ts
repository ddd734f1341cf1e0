/** JSON with a line for each field; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const tokens = /<!\[CDATA\[[\s\S]*?\]\]>|<[^>]+>|[^<]+/g;

/** XML with a line for each element, also that of a document wrapped in CDATA. Only for looking at. */
export function prettyXml(text: string, depth = 0): string {
  const lines: string[] = [];
  let level = depth;
  let open = false;
  const put = (line: string) => lines.push('  '.repeat(Math.max(0, level)) + line);
  for (const [token] of text.matchAll(tokens)) {
    if (token.trim() === '') continue;
    if (token.startsWith('<![CDATA[')) {
      const inner = token.slice(9, -3).trim();
      if (!inner.startsWith('<')) lines[lines.length - 1] += token;
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
