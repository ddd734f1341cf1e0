import { z } from 'zod';
import type { AccountOptions } from '../accounts/accounts.ts';
import { dayInEcuador } from '../clock.ts';
import { emit } from '../emission/emit.ts';
import { kindsOf } from '../emission/kinds.ts';
import { type FaultInput, faultSchema } from '../faults/schema.ts';
import { Bytes } from '../operation.ts';
import type { World } from '../world.ts';

const account = z.strictObject({
  apiKey: z.string().trim().min(1),
  webhook: z.strictObject({ url: z.string(), secret: z.string().min(1) }).optional(),
  providerApproved: z.boolean().optional(),
  providerRuc: z.string().optional(),
  beta: z.boolean().optional(),
  credits: z.number().optional(),
  creditsExpireAt: z.string().optional(),
  queries: z.number().optional(),
  queriesWallet: z.number().optional(),
  generalWallet: z.number().optional(),
  companies: z.array(z.looseObject({ ruc: z.string() })).optional(),
});

/** What a sandbox begins with: accounts, documents emitted at the start, and faults waiting. */
export const seedSchema = z.strictObject({
  accounts: z.array(account).default([]),
  /** Emitted in this order when nothing is stored yet; without `emisor.fecha_emision` they are of today. */
  documents: z
    .array(
      z.strictObject({
        apiKey: z.string(),
        tipo: z.enum(['01', '03', '04', '05', '06', '07']).default('01'),
        body: z.looseObject({ emisor: z.looseObject({}) }),
      }),
    )
    .default([]),
  /** As `POST /__sandbox/faults` takes them. */
  faults: z.array(faultSchema).default([]),
});

export type Seed = z.input<typeof seedSchema>;
type ReadSeed = Omit<z.output<typeof seedSchema>, 'accounts' | 'faults'> & {
  accounts: AccountOptions[];
  faults: FaultInput[];
};

/** Reads a seed; throws an Error that says, place by place, what it cannot read. */
export function readSeed(value: unknown): ReadSeed {
  const read = seedSchema.safeParse(value);
  // The faults as written; they are parsed when they are added.
  if (read.success) return { ...read.data, faults: (value as Seed).faults ?? [] } as ReadSeed;
  throw new Error(`La semilla del sandbox no se puede leer:\n${z.prettifyError(read.error)}`);
}

/** Puts faults in place, and emits the documents where none is stored; throws where one is refused. */
export function plant(world: World, seed: ReadSeed): void {
  for (const fault of seed.faults) world.faults.add(fault);
  if (world.documents.all().length > 0) return;
  const kinds = kindsOf(world.settings);
  for (const [index, { apiKey, tipo, body }] of seed.documents.entries()) {
    const owner = world.accounts.get(apiKey);
    if (!owner) throw new Error(`La semilla emite documents.${index} con una clave que no está en accounts.`);
    const today = dayInEcuador(world.clock.now());
    const emisor = { fecha_emision: today, ...body.emisor };
    const reply = emit(world, owner, kinds[tipo], { ...body, emisor });
    if (!(reply.body instanceof Bytes) && reply.body.creado !== true) {
      throw new Error(
        `La semilla tiene un documento que se rechaza, documents.${index}: ${reply.body.errors}`,
      );
    }
  }
}
