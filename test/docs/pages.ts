import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A page a reader opens. */
export interface Page {
  path: string;
  text: string;
}

/** Every Markdown page of the repository that is written for readers. */
export const pages: readonly Page[] = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

/** The page without what is code in it. */
export const proseOf = (text: string): string =>
  text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
