import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchor } from './markdown.ts';
import { proseOf, root } from './pages.ts';

const english = readFileSync(`${root}README.md`, 'utf8');
const spanish = readFileSync(`${root}docs/README.es.md`, 'utf8');

/** Code as it is typed: comments are said in each language. */
const codeOf = (text: string) =>
  [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, code = '']) => ({
    language,
    code: code.replaceAll(language === 'mermaid' ? /"[^"]*"/g : / +#.*$/gm, ''),
  }));
const levels = (text: string) => [...withoutCode(text).matchAll(/^(#+) /gm)].map(([, level]) => level);
const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '');
const rowsOf = (text: string) =>
  [...withoutCode(text).matchAll(/^\|(.*)\|$/gm)].map(([line]) => line.split('|').length);
const listsOf = (text: string) => [...withoutCode(text).matchAll(/^(-|\d\.) /gm)].map(([item]) => item);

/** Where links lead, but for those from one language to the other. */
const targetsOf = (text: string, folder: string) =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => normalize(join(folder, target)))
    .filter((target) => !/README(\.es)?\.md$/.test(target) || target === 'docs/README.md');

test('the Spanish README has the sections, code, tables, lists and links of the English one, in its order', () => {
  expect(levels(spanish)).toEqual(levels(english));
  expect(codeOf(spanish)).toEqual(codeOf(english));
  expect(rowsOf(spanish)).toEqual(rowsOf(english));
  expect(listsOf(spanish)).toEqual(listsOf(english));
  expect(targetsOf(spanish, 'docs')).toEqual(targetsOf(english, '.'));
});

test('it has at most 120 lines', () => {
  expect(english.split('\n').length).toBeLessThanOrEqual(121);
});

test.each(['Tengo una tienda', 'Llevo la contabilidad', 'I build shops', 'I run servers'])(
  'the README leads to «%s», of at most six pages',
  (reader) => {
    const map = readFileSync(`${root}docs/README.md`, 'utf8');
    const [, path = ''] = map.split(`\n## ${reader}\n`);
    const [list = ''] = path.split('\n## ');
    const linked = [...list.matchAll(/\]\(([^)#]+)\)/g)].map(([, page]) => page);
    expect(linked.length).toBeGreaterThan(0);
    expect(new Set(linked).size).toBeLessThanOrEqual(6);
    expect(english).toContain(`](docs/README.md#${anchor(reader)})`);
  },
);
