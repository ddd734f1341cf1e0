/** One row of the specification: of a table, or of a numbered list. */
export interface SpecRow {
  section: string;
  key: string;
}

/**
 * The rows of a Markdown text: each table row by its first cell (endpoints by method and path), each numbered
 * sentence by its number. Table heads are left out.
 */
export function readRows(markdown: string): SpecRow[] {
  const rows: SpecRow[] = [];
  let section = '';
  let head: string[] | undefined;
  for (const line of markdown.split('\n')) {
    const heading = /^#{2,} (.+)$/.exec(line)?.[1];
    if (heading) section = heading.trim();
    const numbered = /^(\d+)\. /.exec(line)?.[1];
    if (numbered) rows.push({ section, key: numbered });
    if (!line.startsWith('|')) {
      head = undefined;
      continue;
    }
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    if (head === undefined) {
      head = cells;
    } else if (!/^[-: ]+$/.test(cells[0] ?? '')) {
      const key = head[0] === 'Method' ? `${cells[0]} ${cells[1]}` : (cells[0] ?? '');
      rows.push({ section, key });
    }
  }
  return rows;
}
