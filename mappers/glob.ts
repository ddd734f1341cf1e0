/** Lower case without accents, runs of blanks as one: people write "Crédito", "CREDITO" and "credito ". */
export function fold(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Whether a text fits a pattern in which `*` stands for anything; case and accents do not count. */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = fold(pattern).split('*');
  const folded = fold(text);
  const last = rest.pop();
  if (last === undefined) return folded === first;
  if (!folded.startsWith(first) || folded.length < first.length + last.length || !folded.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const part of rest) {
    const found = folded.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= folded.length - last.length;
}
