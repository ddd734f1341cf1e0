import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestClock } from '../../sandbox/emulator/index.ts';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openFront } from '../support/front.ts';
import { untilIdle } from '../support/idle.ts';
import { engines, openProductProcesses, type ProductProcesses, written } from '../support/product.ts';

/**
 * A new version takes over in the middle of so many paid orders. FACTURAPUENTE_DEPLOYED=1000 plays the thousand:
 * `FACTURAPUENTE_DEPLOYED=1000 npx vitest run test/journeys/deploy.long.test.ts`.
 */
const size = Number(process.env.FACTURAPUENTE_DEPLOYED ?? 120);
const ids = Array.from({ length: size }, (_, n) => String(5_000 + n));

/** A slow machine may take its time; what must come, comes. */
const patience = 60_000 + size * 800;

const [sale] = sales;
if (sale === undefined) throw new Error('There is no sale to repeat.');
const orders = ids.map((id) => toWooOrder({ ...sale, id: Number(id) }, new Date(Date.now() - 60_000)));

/** How the next version comes. */
interface Deploy {
  /** What can be done while the one before goes on. */
  prepare(): Promise<void>;
  /** Asks those before it to stop; answers their exit codes. */
  takeOver(): Promise<(number | null)[]>;
}

/** One process: it stops, then the next starts. Whoever comes between finds no endpoint. */
async function stopAndStart(product: ProductProcesses): Promise<Deploy> {
  await product.start();
  return {
    async prepare() {},
    async takeOver() {
      const codes = await product.stop();
      await product.start();
      return codes;
    },
  };
}

/** Any number: the next ones start beside, the proxy goes over to them, those before stop. No endpoint closes. */
async function rolling(product: ProductProcesses): Promise<Deploy> {
  const open = async () => {
    const port = await freePort();
    const both = [product.launch('web', port), product.launch('worker')];
    await Promise.all(both.map((one) => one.ready()));
    return { both, url: `http://127.0.0.1:${port}` };
  };
  const before = await open();
  let behind = before;
  const front = await openFront(() => behind.url, { port: product.port });
  onTestFinished(() => front.close());
  return {
    async prepare() {
      behind = await open();
    },
    takeOver: () => Promise.all(before.both.map((one) => one.end('SIGTERM'))),
  };
}

describe.each(engines)(`a deploy in the middle of ${size} documents on %s`, (engine) => {
  it(
    'loses none, doubles none, leaves no gap, and lets every order know',
    async () => {
      // Six times as fast: the key may send 28 documents a second, and a slot keeps for 250 ms.
      const testClock = fastClock(6);
      const product = await openProductProcesses({
        engine,
        orders,
        config: { testClock },
        sandbox: { now: readTestClock(testClock) },
      });
      onTestFinished(() => product.close());
      const { sandbox } = product;
      const stored = () => sandbox.documents().length;
      // Whatever moment a process is told to stop at, emissions have left and are not answered yet.
      sandbox.faults.add({ delayAnswerMs: { ms: 300, operacion: 'emitir_factura', times: size * 10 } });
      const deploy = engine === 'sqlite' ? await stopAndStart(product) : await rolling(product);

      let refused = 0;
      const waiting: string[] = [];
      const deliver = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          const [status] = await product.deliver(id).catch(() => [0]);
          if (status === 200) continue;
          refused += 1;
          waiting.push(id);
          // The shop tells it again; in a test soon.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const report = (some: readonly string[]) => {
        waiting.push(...some);
        return Promise.all(Array.from({ length: 4 }, deliver));
      };
      await report(ids.slice(0, size / 4));
      await deploy.prepare();
      const delivered = report(ids.slice(size / 4));
      await eventually(() => stored() >= size / 2, 'half of the documents', patience);
      expect(await deploy.takeOver()).toEqual(engine === 'sqlite' ? [0] : [0, 0]);
      await delivered;
      if (engine === 'servers') expect(refused).toBe(0);
      const isWritten = () => ids.every((id) => written(product, id).clave_acceso !== undefined);
      await eventually(isWritten, 'all facturas on their orders', patience);
      await untilIdle(product, patience);

      const { documents, duplicates, gaps } = sandbox.audit();
      expect(documents).toEqual({ total: size, authorised: size, refused: 0, processing: 0 });
      expect({ duplicates, gaps }).toEqual({ duplicates: [], gaps: [] });
      const issued = new Set(sandbox.documents().map(({ claveacceso }) => claveacceso));
      expect(new Set(ids.map((id) => written(product, id).clave_acceso))).toEqual(issued);
    },
    2 * patience,
  );
});
