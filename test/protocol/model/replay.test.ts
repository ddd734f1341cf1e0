import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/protocol/rules.ts';
import { worldOf } from '../mutations.ts';
import { asTest, explore, replay } from './explore.ts';
import { bounds } from './world.ts';
import { worldsOf } from './worlds.ts';

/** Traces the model found while the protocol was written, each of which broke something; now none does. */
const worldNamed = (keys: Parameters<typeof worldsOf>[0], name: string) => {
  const found = worldsOf(keys).find(([one]) => one === name)?.[1];
  if (!found) throw new Error(`There is no world ${name}.`);
  return { ...found, faults: 3, crashes: 3, persons: 3, attempts: 4 };
};

describe('a trace that broke something', () => {
  it('429 to a POST whose key was found meanwhile does not take the key back', () => {
    const trace = [
      'factura 1: submit is due',
      'factura 1: the lease of submit ends',
      'factura 1: submit is due',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is not known',
      'time passes',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is not known',
      'factura 1: submit is due',
      'factura 1: the POST arrives',
      'factura 1: the answer is lost',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is processing',
      'factura 1: 429',
    ];
    const { invariant, world } = replay(worldNamed('foreseen', 'answers are lost'), trace);
    expect(invariant).toBeNull();
    expect(world.lines[0]?.state.attempts[0]).toMatchObject({ outcome: 'adopted', accessKey: 'f1d0' });
  });

  it('a late 409 whose key ended with an error meanwhile gives that key to no other lost sending', () => {
    const trace = [
      'factura 1: submit is due',
      'factura 1: the lease of submit ends',
      'factura 1: submit is due',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is not known',
      'time passes',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is not known',
      'factura 1: submit is due',
      'factura 1: the POST arrives (2)',
      'factura 1: the POST arrives',
      'factura 1: answer duplicate',
      'factura 1: the answer is lost',
      'factura 1: follow-up is due',
      'the authority: f1d0 issuer',
      'factura 1: f1d0 is issuer',
      'factura 1: follow-up is due',
      'factura 1: the XML of f1d0 is unreadable',
      'factura 1: f1d0 is issuer',
    ];
    expect(replay(worldNamed('foreseen', 'midnight passes'), trace).invariant).toBeNull();
  });

  it('a number conflict that a person’s key contradicts goes on under that key, on its way', () => {
    const trace = [
      'somebody else uses the number',
      'factura 1: submit is due',
      'factura 1: the POST arrives',
      'factura 1: answer duplicate',
      'factura 1: the XML of f1d0 is unreadable',
      'factura 1: a person gives f1d0',
      'factura 1: f1d0 is processing',
      'factura 1: follow-up is due',
      'factura 1: f1d0 is processing',
    ];
    const { invariant, world } = replay(worldNamed('fixed', 'somebody else uses the number'), trace);
    expect(invariant).toBeNull();
    expect(world.lines[0]?.jobs['follow-up'].due).toBeGreaterThan(world.at);
  });
});

describe('the explorer', () => {
  it('finds the shortest trace, tells it as a test to paste, and lives it through again', () => {
    const world = worldOf('wasAnswered', 'without');
    const { violation } = explore(world);
    if (!violation) throw new Error('Nothing was found.');
    expect(replay(world, violation.trace).invariant).toBe(violation.invariant);
    expect(asTest('fixed', 'somebody else uses the number', violation)).toContain(
      'factura 1: settle f1d0 authorized',
    );
    expect(replay({ ...world, rules }, violation.trace.slice(0, -1)).invariant).toBeNull();
  });

  it('explores a world in which nothing goes wrong to its one end', () => {
    const explored = explore({ ...bounds, faults: 0, crashes: 0 });
    expect(explored).toMatchObject({ violation: null, isComplete: true });
    expect(explored.states).toBeGreaterThan(20);
  });
});
