import { afterEach, describe, expect, it } from 'vitest';
import type { BuyerAnswer } from '../../src/domain/buyer-policy.ts';
import type { Letter, Mailer } from '../../src/domain/ports.ts';
import { takeAnswer } from '../../src/jobs/ask-buyer.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { wrongCedula } from '../support/nobody-named.ts';

const now = '2026-11-20T15:00:00Z';
const cutOff = '2026-11-21T04:30:00Z';
const ana: BuyerAnswer = { type: 'cedula', id: '1710034065', name: 'Ana Torres', email: 'ana@example.ec' };
let bench: JobBench;
afterEach(() => bench?.close());

/** Sells the demo's order 1201 (33.75) or 1202 (132.59) to somebody whose cédula is wrong. */
const sell = async (id: '1201' | '1202' = '1201', policy: object = {}, mailer?: Mailer) => {
  const orders = [wrongCedula(new Date(now), id)];
  bench = await openJobBench({ orders, policy: { buyer: policy }, now, ...(mailer && { mailer }) });
  await bench.read(id);
};
const key = async () => await bench.document();
const question = async () => bench.ledger.questions.get(await key());
const codes = async () => (await bench.notes()).map(({ code }) => code).filter(Boolean);
const sent = async () => JSON.parse((await bench.attempts())[0]?.body ?? '{}').comprador;
const answer = async (given = ana) => takeAnswer(bench, await key(), given);

describe('the buyer of an order held for the identification', () => {
  it('is asked once an order, until half past eleven at night in Ecuador', async () => {
    await sell();
    expect(await key()).toMatchObject({ state: 'held', code: 'buyer-id-wrong' });
    const first = await question();
    expect(first).toMatchObject({
      askedAt: new Date(now).toISOString(),
      cutOffAt: new Date(cutOff).toISOString(),
      expiresAt: '2026-11-27T15:00:00.000Z',
      answer: null,
    });
    bench.advance(60_000);
    await bench.read();
    expect(await question()).toEqual(first);
  });

  it('is not asked where the policy does not want it, nor for a hold that is none of their business', async () => {
    await sell('1201', { ask: false });
    expect(await question()).toBeUndefined();
    await bench.close();
    const order = { ...wrongCedula(new Date(now)), currency: 'EUR' };
    bench = await openJobBench({ orders: [order], now });
    await bench.read();
    expect(await key()).toMatchObject({ state: 'held', code: 'currency' });
    expect(await question()).toBeUndefined();
  });

  it('answers, and the factura leaves at once in that name; trace and history say where it came from', async () => {
    await sell();
    expect(await answer()).toBe('taken');
    await bench.run();
    expect(await sent()).toMatchObject({ identificacion: ana.id, razon_social: ana.name, correo: ana.email });
    expect((await key()).state).toBe('processing');
    expect(await codes()).toEqual(['buyer-id-wrong', 'buyer-answered', 'paid']);
    expect((await bench.notes()).at(2 + 1)).toMatchObject({
      trace: { identity: { type: 'cedula', source: 'respuesta del comprador', name: 'buyer' } },
    });
  });

  it('answers once: the first answer stands, and none is taken when the factura is on its way', async () => {
    await sell();
    const both = await Promise.all([answer(), answer({ ...ana, name: 'Otra Persona' })]);
    expect(both.sort()).toEqual(['answered', 'taken']);
    await bench.run();
    expect(await answer()).toBe('late');
  });
});

describe('at the cut-off', () => {
  it('an unanswered order within the limit becomes a consumidor final, and the trace says why', async () => {
    await sell();
    bench.setTime('2026-11-21T04:29:59Z');
    expect(await bench.run()).toEqual([]);
    bench.setTime(cutOff);
    await bench.run();
    expect(await sent()).toMatchObject({ tipo_identificacion: '07' });
    expect(JSON.stringify(await bench.notes())).toContain('hasta la hora límite');
    expect(bench.alerts).toEqual([]);
  });

  it('one above the limit stays held with the reason, and a person is told once; an answer still lets it leave', async () => {
    await sell('1202');
    bench.setTime(cutOff);
    await bench.run();
    expect(await key()).toMatchObject({
      state: 'held',
      code: 'buyer-id-wrong',
      reason: expect.stringContaining('no respondió hasta la hora límite'),
    });
    await bench.read('1202');
    expect(bench.alerts).toEqual(['buyer-unanswered']);
    expect(await answer()).toBe('taken');
    await bench.run();
    expect(await sent()).toMatchObject({ identificacion: ana.id });
    expect(bench.alerts).toEqual(['buyer-unanswered', 'buyer-unanswered over']);
  });

  it('a person is told, and told of its end, also by a process that takes over from a dead one', async () => {
    /** The process dies as it is about to begin or end an alert, and the job comes back. */
    const dieTelling = async () => {
      const { alerts } = bench.deps;
      const die = async () => Promise.reject(new Error('kill -9'));
      bench.deps.alerts = { raise: die, over: die };
      await bench.run();
      bench.deps.alerts = alerts;
      await bench.wait(60);
    };
    await sell('1202');
    bench.setTime(cutOff);
    await dieTelling();
    expect(bench.alerts).toEqual(['buyer-unanswered']);
    expect(await answer()).toBe('taken');
    await dieTelling();
    expect(bench.alerts).toEqual(['buyer-unanswered', 'buyer-unanswered over']);
  });
});

describe('the letter', () => {
  const box = (ends: Error[]) => {
    const letters: Letter[] = [];
    const mailer: Mailer = {
      async send(letter) {
        const end = ends.shift();
        if (end) throw end;
        letters.push(letter);
      },
      close() {},
    };
    return { letters, mailer };
  };

  it('leaves once an order, with the link, and the history says so', async () => {
    const { letters, mailer } = box([]);
    await sell('1201', {}, mailer);
    await bench.read();
    const { id } = await key();
    expect(letters).toHaveLength(1);
    expect(letters[0]?.text).toContain(`/identificacion/${id}@2026-11-27T15:00:00.000Z`);
    expect(letters[0]?.text).toContain('viernes, 20 de noviembre, 23:30 (hora de Ecuador)');
    expect(letters[0]?.text).toContain('USD 33.75');
    expect(await codes()).toEqual(['buyer-id-wrong', 'buyer-mailed']);
  });

  it('is tried again while the mail server does not take it, five times', async () => {
    const away = () => new Error('away');
    const { letters, mailer } = box([away(), away()]);
    await sell('1201', {}, mailer);
    for (let n = 0; n < 3; n += 1) {
      bench.advance(2_000);
      await bench.run();
    }
    expect(letters).toHaveLength(1);
    expect(await codes()).toEqual(['buyer-id-wrong', 'buyer-mailed']);
  });

  it('is given up where it is never taken, and the history says so', async () => {
    const { letters, mailer } = box(Array.from({ length: 9 }, () => new Error('refused')));
    await sell('1201', {}, mailer);
    for (let n = 0; n < 8; n += 1) {
      bench.advance(2_000);
      await bench.run();
    }
    expect(letters).toEqual([]);
    expect(await codes()).toEqual(['buyer-id-wrong', 'buyer-mail-refused']);
  });

  it('does not leave by policy', async () => {
    const { letters, mailer } = box([]);
    await sell('1201', { mail: false }, mailer);
    expect(letters).toEqual([]);
  });
});
