import { describe, expect, it } from 'vitest';
import { defectOf, drawCommands, type Ended } from '../../chaos/operator.ts';

const ended = (more: Partial<Ended> = {}): Ended => ({ code: 0, stdout: '', stderr: '', ...more });

describe('a command of the operator', () => {
  it('is no defect when it succeeds, or ends with a sentence', () => {
    expect(defectOf(ended({ stdout: '[]\n' }), true)).toBeNull();
    expect(defectOf(ended({ stdout: 'No hay documentos.\n' }), false)).toBeNull();
    expect(defectOf(ended({ code: 1, stderr: 'No hay nada que hacer.\n' }), true)).toBeNull();
    expect(defectOf(ended({ code: 1, stdout: 'tienda-1: la tienda no respondió.\n' }), false)).toBeNull();
  });

  const stack = 'SqliteError: database is locked\n    at run (/app/src/ledger/sqlite.ts:12:3)\n';
  it.each<[string, Partial<Ended>, boolean, string]>([
    ['hangs', { code: null }, false, 'did not end within 30 s'],
    ['prints a stack', { code: 1, stderr: stack }, false, 'a stack trace: SqliteError: database is locked'],
    ['prints a stack and goes on', { stdout: '[]', stderr: stack }, true, 'a stack trace'],
    ['ends above 2', { code: 7, stderr: 'Falló.' }, false, 'ended with 7: Falló.'],
    ['fails without a word', { code: 1, stdout: '\n' }, false, 'ended with 1 and no word'],
    ['prints half of its JSON', { stdout: '[{"id":' }, true, 'no JSON: [{"id":'],
  ])('is a defect when it %s', (_what, more, json, message) => {
    expect(defectOf(ended(more), json)).toContain(message);
  });
});

describe('the commands of a run', () => {
  const commandsOf = (orders: number, seed = 7) =>
    drawCommands({ seed, orders }, 500).flatMap(({ happening }) =>
      happening.what === 'command' ? [happening.command] : [],
    );

  it('are 10 to 30, the same for the same seed, and of every kind', () => {
    expect([1, 24, 150, 2_000].map((orders) => commandsOf(orders).length)).toEqual([10, 11, 20, 30]);
    expect(commandsOf(150)).toEqual(commandsOf(150));
    expect(commandsOf(150)).not.toEqual(commandsOf(150, 8));
    expect(new Set(commandsOf(24).map(({ name }) => name)).size).toBe(9);
  });
});
