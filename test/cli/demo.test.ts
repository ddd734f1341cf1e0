import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDigitVerifies } from '../support/access-key.ts';
import { run } from '../support/run.ts';
import { hasServers, redisUrl } from '../support/servers.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

interface Row {
  platform: string;
  order: string;
  charged: string;
  document: string;
  number: string;
  accessKey: string;
  state: string;
  pdfUrl: string;
  pdfBytes: number;
  writtenBack: boolean;
}

type RefundRow = Omit<Row, 'charged'> & { refunded: string };

const schema = hasShared ? ['--shopify-schema', sharedPath('data/shopify/admin_2026-10.graphql.gz')] : [];
const servers = { DATABASE_URL: 'postgresql://postgres@127.0.0.1:5432/postgres', REDIS_URL: redisUrl };
const places: [string, Record<string, string>, boolean][] = [
  ['SQLite', {}, true],
  ['PostgreSQL and Redis', servers, hasServers],
];

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe.each(places.filter(([, , here]) => here))('the demo on %s', (_name, env) => {
  it('authorises every order and refund of both platforms, writes them back, and sees through repeats and forgeries', async () => {
    const { code, stdout, stderr } = await run(['demo', '--json', ...schema], env);
    const result = JSON.parse(stdout) as {
      orders: Row[];
      refunds: RefundRow[];
      deliveries: unknown;
      seconds: number;
    };
    expect(result.deliveries).toEqual({ accepted: 10, duplicates: 2, rejected: 1 });
    expect(result.orders).toHaveLength(10);
    expect(new Set(result.orders.map((row) => row.platform))).toEqual(new Set(['woocommerce', 'shopify']));
    for (const row of result.orders) {
      expect(row).toMatchObject({ state: 'authorized', writtenBack: true, document: row.charged });
      expect(checkDigitVerifies(row.accessKey)).toBe(true);
      expect(row.pdfBytes).toBeGreaterThan(1_000);
      // The README shows this very run: same orders and amounts (which order comes first is a race).
      const shown = new RegExp(
        `│ ${row.order} +│ \\w+ +│ +${row.charged} │ +${row.document} │ \\d{3}-\\d{3}-\\d{9} │`,
      );
      expect(readme).toMatch(shown);
    }
    expect(new Set(result.orders.map((row) => row.number)).size).toBe(10);
    expect(new Set(result.refunds.map((row) => row.platform))).toEqual(new Set(['woocommerce', 'shopify']));
    for (const row of result.refunds) {
      expect(row).toMatchObject({ state: 'authorized', writtenBack: true, document: row.refunded });
      expect(row.accessKey.slice(8, 10)).toBe('04');
      expect(row.pdfBytes).toBeGreaterThan(1_000);
      expect(readme).toMatch(new RegExp(`│ ${row.order} +│ \\w+ +│ +${row.refunded} │ +${row.document} │`));
    }
    expect([code, stderr]).toEqual([0, '']);
  });
});
