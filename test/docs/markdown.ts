/** A Markdown table; cells may hold anything but line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|').trim();

/** Says above a generated page what it is made of, for people who want to correct it. */
export const madeFrom = (source: string): string =>
  `<!-- Made by \`npm run reference\` from ${source}: correct it there. -->`;

/** The target of a link to a heading, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
