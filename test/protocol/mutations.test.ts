import { describe, expect, it } from 'vitest';
import type { Rules } from '../../src/protocol/rules.ts';
import { explore } from './model/explore.ts';
import { mutations, worldOf } from './mutations.ts';

/** Every rule of the protocol is needed: without it the model finds a trace in which something breaks. */
const names = Object.keys(mutations) as (keyof Rules)[];
const most = 150_000;

describe.each(names)('without %s', (name) => {
  it(`${mutations[name].breaks}`, () => {
    const { violation } = explore(worldOf(name, 'without'), most);
    expect(violation?.invariant).toBe(mutations[name].breaks);
  });

  it('and with it nothing breaks in the same world, which is explored to its end', () => {
    const { violation, isComplete } = explore(worldOf(name, 'with'), most);
    expect(violation?.trace.join('\n') ?? null).toBeNull();
    expect(isComplete).toBe(true);
  });
});
