import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { leaves } from './cli-reference.ts';
import { anchor } from './markdown.ts';
import { type Page, pages, proseOf, root } from './pages.ts';

const byPath = new Map(pages.map((page) => [page.path, page]));

/** What the headings of a page are linked by; the same words again get a number. */
function anchorsOf({ text }: Page): Set<string> {
  const seen = new Map<string, number>();
  const found = new Set<string>();
  const body = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  for (const [, heading = ''] of body.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = anchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''));
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    found.add(times === 0 ? plain : `${plain}-${times}`);
  }
  return found;
}

function deadLinks(page: Page): string[] {
  const targets = [...proseOf(page.text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^(https?:|mailto:)/.test(target))
    .filter((target) => {
      const [file = '', part] = target.split('#');
      const path = file === '' ? page.path : normalize(join(dirname(page.path), file));
      if (!existsSync(join(root, path))) return true;
      const other = byPath.get(path);
      return part !== undefined && other !== undefined && !anchorsOf(other).has(decodeURIComponent(part));
    });
}

test.each(pages.map((page) => [page.path, page] as const))(
  'every link of %s leads somewhere',
  (_path, page) => {
    expect(deadLinks(page)).toEqual([]);
  },
);

test('every page of docs is on the map', () => {
  const map = byPath.get('docs/README.md')?.text ?? '';
  const missing = [...byPath.keys()].filter((path) => {
    const [, name = ''] = /^docs\/([^/]+\.md)$/.exec(path) ?? [];
    return name !== '' && name !== 'README.md' && !map.includes(`(${name})`);
  });
  expect(missing).toEqual([]);
});

/** Commands that stand in a page as `npx facturapuente …`, alone on a line or inside a sentence. */
function commandsOf({ text }: Page): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  return [...joined.matchAll(/npx facturapuente ([^`\n]*)/g)].map(
    ([, rest = '']) => rest.split(/ [#|>&]/)[0] ?? '',
  );
}

/** What is wrong with a command; null when the command line knows it and all its options. */
function wrongWith(line: string): string | null {
  const words = [...line.trim().matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
  if (['--help', '--version', 'COMMAND', 'help'].includes(words[0] ?? '')) return null;
  const all = leaves();
  const two = all.find(({ name }) => name === words.slice(0, 2).join(' '));
  const one = two ?? all.find(({ name }) => name === words[0]);
  // `privacy`, of which only the name is said.
  if (!one)
    return all.some(({ name }) => name.startsWith(`${words[0]} `)) && words.length === 1
      ? null
      : 'no such command';
  const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ''));
  const known = one.command.options.flatMap(({ long }) => long ?? []);
  const strange = flags.filter((flag) => !known.includes(flag));
  return strange.length === 0 ? null : `no option ${strange.join(', ')}`;
}

test.each(pages.filter(({ path }) => path !== 'CHANGELOG.md').map((page) => [page.path, page] as const))(
  'every command %s prints is one there is',
  (_path, page) => {
    const wrong = commandsOf(page).flatMap((line) => {
      const said = wrongWith(line);
      return said === null ? [] : [`${line}: ${said}`];
    });
    expect(wrong).toEqual([]);
  },
);
