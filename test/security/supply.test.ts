import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../package/pack.ts';

interface Locked {
  version?: string;
  link?: boolean;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const own = read('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
/** All but those of this repository. */
const all = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && link !== true,
);

test('the lock knows the bytes of every package, but for builds of other platforms', () => {
  const unknown = all.filter(([, { integrity }]) => integrity === undefined);
  expect(unknown.filter(([, { optional }]) => optional !== true).map(([place]) => place)).toEqual([]);
  expect(unknown.filter(([place]) => existsSync(join(root, place))).map(([place]) => place)).toEqual([]);
});

test('no package runs a script of its own when it is installed, unless it is named', () => {
  const running = all.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = running.map(([place]) => place.replace(/^.*node_modules\//, ''));
  expect(names.filter((name) => !(name in own.allowScripts))).toEqual([]);
  // Nothing of production needs to: what may run is a tool of the tests.
  const allowed = Object.entries(own.allowScripts).filter(([, may]) => may);
  expect(allowed.map(([name]) => name).filter((name) => name in own.dependencies)).toEqual([]);
});

test('every dependency is a range of published versions, none an address or a folder', () => {
  const asked = { ...own.dependencies, ...own.devDependencies };
  expect(Object.entries(asked).filter(([, range]) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

/** What may be shipped with a product under the MIT licence without further duties than to name its authors. */
const permissive =
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|PSF-2\.0|CC0-1\.0|Zlib)$/;

test('what is shipped is permissively licensed', () => {
  const shipped = all.filter(
    ([place, { dev, devOptional }]) => !dev && !devOptional && existsSync(join(root, place)),
  );
  expect(shipped.length).toBeGreaterThan(100);
  const licence = (place: string) => {
    const { license } = read(`${place}/package.json`) as { license?: string };
    if (license !== undefined) return license;
    const file = ['LICENSE', 'LICENSE.md'].map((name) => join(root, place, name)).find(existsSync);
    return file && /MIT License|Permission is hereby granted/.test(readFileSync(file, 'utf8'))
      ? 'MIT'
      : 'none';
  };
  const isFine = (text: string) =>
    text
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((choice) => choice.split(' AND ').every((one) => permissive.test(one)));
  const others = shipped
    .map(([place]) => [place, licence(place)] as const)
    .filter(([, text]) => !isFine(text));
  expect(others).toEqual([]);
});
