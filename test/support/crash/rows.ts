import { describe, expect, it } from 'vitest';
import type { DocumentKind } from '../../../src/core/document.ts';
import { answers } from './answers.ts';
import { documentedMatrix } from './documented.ts';
import { full, liveRow } from './matrix.ts';
import type { Mode } from './world.ts';

/** The rows of one kind and mode as tests; each must end as docs/exactly-once.md says, and (lived in full) in no less. */
export function testRows(kind: DocumentKind, mode: Mode): void {
  const documented = documentedMatrix();
  describe(`a process that dies anywhere while a ${kind} leaves, the service's keys ${mode}`, () => {
    it('is told of for every answer', () => {
      expect([...documented.keys()]).toEqual(answers.map(({ name }) => name));
    });

    // What differs between the kinds differs with every answer alike: a short run takes each answer in both modes, and
    // the other kind with every third.
    const shorter = (kind === 'factura') === (mode === 'aleatorio');
    const taken = answers.filter((_, index) => full || !shorter || index % 3 === 0);

    it.each(taken)('$name', { timeout: full ? 3_600_000 : 600_000 }, async (answer) => {
      const { ends, cells } = await liveRow({ kind, mode, answer });
      const told = documented.get(answer.name)?.[mode] ?? [];
      expect(cells).toBeGreaterThan(8);
      if (full) expect(ends).toEqual(told);
      else for (const end of ends) expect(told).toContain(end);
    });
  });
}
