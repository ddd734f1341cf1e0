import { describe, expect, test } from 'vitest';
import { allOperations } from '../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../sandbox/emulator/operations/emision.ts';
import { isRetryable } from '../../src/service/answers.ts';
import { factura } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { operations, rows } from './operations.ts';
import { expectKind, openSandbox } from './sandbox-installation.ts';

const settings = { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' };
const ids = allOperations({ settings } as never).map(({ id }) => id);
/** `consultar_ruc_alias_post` → `consultarRuc`: other routes to the same are options of one function. */
const functionOf = (id: string) =>
  id.replace(/(_alias)?(_post)?$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('Versioning: every operationId of the service is a function of the client', async () => {
  const { client } = await openSandbox();
  const functions = [...new Set(ids.map(functionOf))];
  expect(Object.keys(operations).sort()).toEqual(functions.toSorted());
  for (const name of functions) expect(client).toHaveProperty(name, expect.any(Function));
});

describe.each(rows)('$name of a disturbed service', ({ call, slot, once = false }) => {
  test.each([
    ['a page of HTML', { htmlAnswer: { operacion: '*' } }],
    ['a page of HTML with 200', { htmlAnswer: { operacion: '*', status: 200 } }],
    ['a connection cut before storing', { cutBeforeStoring: { operacion: '*' } }],
    ['a connection cut after storing', { dropAnswer: { operacion: '*' } }],
  ])('%s teaches nothing, and the call is not repeated', async (_, fault) => {
    const { calls, sandbox } = await openSandbox();
    sandbox.faults.add(fault);
    const answer = await call(calls);
    expect(answer.kind).toBe('unknown');
    expect(isRetryable(answer)).toBe(!once);
    expect(sandbox.requests()).toHaveLength(1);
  });

  test('Errors 6: HTTP 429 is throttled and slows the rate limit', async () => {
    const { calls, sandbox, rateLimit } = await openSandbox();
    sandbox.faults.add({ tooManyRequests: { operacion: '*', retryAfterSeconds: 2 } });
    expect(await call(calls)).toEqual({ kind: 'throttled', retryAfterMs: 2000 });
    expect(rateLimit.slowed).toEqual(slot === null ? [] : [2000]);
  });

  test('an answer later than our patience teaches nothing', async () => {
    const { calls, sandbox } = await openSandbox({}, { timeouts: { headers: 60 } });
    sandbox.faults.add({ delayAnswerMs: { ms: 2000, operacion: '*' } });
    expect(await call(calls)).toMatchObject({ kind: 'unknown' });
    // It left before the patience began; it may arrive after it has ended.
    await eventually(() => sandbox.requests().length > 0, 'the request to arrive');
    expect(sandbox.requests()).toHaveLength(1);
  });
});

test('half a JSON after storing: the document exists, nothing was learned, and it is sent once', async () => {
  const { calls, sandbox } = await openSandbox();
  sandbox.faults.add({ brokenJson: true });
  const lost = expectKind(await calls.emitirFactura(JSON.stringify(factura())), 'unknown');
  expect(lost).toMatchObject({ mayHaveLeft: true, claveacceso: null });
  expect(sandbox.documents()).toHaveLength(1);
  expect(sandbox.requests()).toHaveLength(1);
});
