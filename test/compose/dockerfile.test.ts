import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Instruction {
  word: string;
  rest: string;
}

/** The Dockerfile's instructions, continuation lines joined, comments left out. */
const instructions: Instruction[] = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, word = '', rest = ''] = line.match(/^([A-Z]+) (.+)$/) ?? [];
    return { word, rest };
  });
const all = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest);
const last = (word: string) => all(word).at(-1) ?? '';

const copies = all('COPY').map((rest) => {
  const parts = rest.split(/\s+/);
  const from = parts.find((part) => part.startsWith('--from='))?.slice('--from='.length);
  const paths = parts.filter((part) => !part.startsWith('--'));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
});

test('every line is an instruction Docker knows', () => {
  const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/;
  expect(instructions.filter(({ word }) => !known.test(word))).toEqual([]);
});

test('every base image is one exact Node that package.json allows', () => {
  const [, major, least] = manifest.engines.node.match(/^>=(\d+)\.(\d+)/);
  const [image = '', ...others] = new Set(all('FROM').map((rest) => rest.split(' ')[0]));
  expect(others).toEqual([]);
  const [, found, minor] = image.match(/^node:(\d+)\.(\d+)\.\d+-slim(@sha256:[0-9a-f]{64})?$/) ?? [];
  expect(found).toBe(major);
  expect(Number(minor)).toBeGreaterThanOrEqual(Number(least));
});

test('a stage copies only from stages above it, and each is copied from, or is the image of the sandbox', () => {
  const stages = all('FROM').flatMap((rest) => rest.match(/ AS (\S+)$/)?.[1] ?? []);
  const used = copies.flatMap(({ from }) => from ?? []);
  expect([...new Set([...used, 'sandbox'])].sort()).toEqual([...stages].sort());
});

test('what is copied from the checkout exists and is let through .dockerignore', () => {
  const letThrough = read('.dockerignore').match(/(?<=^!).+$/gm) ?? [];
  const sources = copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources);
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  const named = sources.filter((source) => !source.startsWith('sandbox/'));
  expect([...new Set(named)].sort()).toEqual([...letThrough].sort());
});

test('the build copies every folder the compiler reads', () => {
  const { include } = JSON.parse(read('src/tsconfig.json')) as { include: string[] };
  const folders = include.map((pattern) => posix.normalize(`src/${pattern}`).split('/')[0]);
  expect(copies.flatMap((copy) => copy.sources)).toEqual(expect.arrayContaining(folders));
});

test('it starts the bin of package.json with a command that exists', () => {
  const [node, ...rest]: string[] = JSON.parse(last('ENTRYPOINT'));
  expect([node, rest.at(-1)]).toEqual(['node', posix.join('/app', manifest.bin.facturapuente)]);
  expect(JSON.parse(last('CMD'))[0]).toBe('start');
  expect(existsSync(join(root, manifest.bin.facturapuente.replace(/^dist\//, '').replace(/js$/, 'ts')))).toBe(
    true,
  );
});

test('it gives Node only options that this Node knows', () => {
  const options = (JSON.parse(last('ENTRYPOINT')) as string[]).slice(1, -1);
  expect(options.length).toBeGreaterThan(0);
  const { status, stderr } = spawnSync(process.execPath, [...options, '-e', '0'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('it runs as nobody special and asks a route that exists at the port it opens', () => {
  expect(last('USER')).toBe('node');
  const [, port, route] = last('HEALTHCHECK').match(/127\.0\.0\.1:(\d+)(\/\w+)/) ?? [];
  expect(last('EXPOSE')).toBe(port);
  // From outside the container, where 127.0.0.1 is nobody but itself.
  expect(JSON.parse(last('CMD'))).toEqual(['start', '--host', '0.0.0.0', '--port', port]);
  const endpoints = globSync('src/http/*.ts', { cwd: root }).map(read).join('\n');
  expect(endpoints).toContain(`'${route}'`);
});
