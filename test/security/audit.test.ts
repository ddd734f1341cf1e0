import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Exception, judge } from '../../.ci/audit.ts';
import { root } from '../package/pack.ts';

const url = 'https://github.com/advisories/GHSA-0000';
/** As npm 11 writes it: `a` has the advisory, `b` only depends on it. */
const report = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    a: { name: 'a', via: [{ source: 1, url, title: 'Reads too much', severity: 'high' }] },
    b: { name: 'b', via: ['a'] },
  },
});
const exception: Exception = {
  package: 'a',
  advisory: url,
  reason: 'Only at build time.',
  until: '2026-12-31',
};
const today = '2026-11-21';

test('a known vulnerability is told once, where it is', () => {
  expect(judge(report, [], today).findings).toEqual([`a: Reads too much (high) ${url}`]);
});

test('a reasoned exception covers it until its day, and is told when it is needed no more', () => {
  expect(judge(report, [exception], today).findings).toEqual([]);
  expect(judge(report, [exception], '2027-01-01').findings).toHaveLength(1);
  expect(judge('{"vulnerabilities":{}}', [exception], today).findings).toEqual([
    `a: the exception for ${url} is no longer needed`,
  ]);
});

test('a registry that cannot be asked is no good news and no bad news', () => {
  for (const output of ['', 'npm error', '{"message":"405","error":{}}'])
    expect(judge(output, [], today)).toEqual({ asked: false, findings: [] });
});

test('an audit that asked nobody ends with 2, which .ci/run lists as skipped and never counts as passed', () => {
  // Without a PATH there is no npm to ask with.
  const { status, stdout } = spawnSync(process.execPath, ['.ci/audit.ts'], {
    cwd: root,
    env: { PATH: '' },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, expect.stringContaining('nothing was checked')]);
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^ {4}2\) skipped\+=/m);
});

test('every exception says why, and for at most half a year', () => {
  const written = JSON.parse(readFileSync(join(root, '.ci/audit-exceptions.json'), 'utf8')) as Exception[];
  const limit = new Date(Date.now() + 183 * 86_400_000).toISOString().slice(0, 10);
  for (const { reason, until } of written) {
    expect(reason.length).toBeGreaterThan(20);
    expect(until <= limit).toBe(true);
  }
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('node .ci/audit.ts');
});
