import { type Line, line, rounds } from './line.ts';
import { load, startBaseline, startProduct } from './processes.ts';

/** Shops are independent: webhooks arrive at fixed instants, and sometimes all at once. */
export async function openLoop(): Promise<Line[]> {
  const calm: number[] = [];
  const busy: number[] = [];
  const storm: number[] = [];
  const burst: number[] = [];
  const bareStorm: number[] = [];
  const bareBurst: number[] = [];
  const ready: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const product = await startProduct('all');
    ready.push(product.readyMs);
    busy.push((await load(product.url, 'open', 4, 200)).p99);
    memory.push(product.residentMb());
    await product.stop();
    const endpoint = await startProduct('web');
    const first = await load(endpoint.url, 'open', 4, 200);
    const second = await load(endpoint.url, 'open', 4, 1_000, first.next);
    const third = await load(endpoint.url, 'burst', 0, 2_000, second.next);
    await endpoint.stop();
    const bare = await startBaseline();
    const fourth = await load(bare.url, 'open', 4, 1_000);
    bareStorm.push(fourth.p99);
    bareBurst.push((await load(bare.url, 'burst', 0, 2_000, fourth.next)).lastedMs);
    await bare.stop();
    calm.push(first.p99);
    storm.push(second.p99);
    burst.push(third.lastedMs);
  }
  return [
    line('p99 of the endpoint at 200 a second, open loop', 'ms', calm, { below: 25 }),
    line('the same with the worker doing the work in the same process', 'ms', busy),
    line('p99 of the endpoint at 1,000 a second, open loop', 'ms', storm, { atMost: 25 }),
    line('2,000 webhooks at the same instant, until the last is answered', 'ms', burst, { atMost: 1_000 }),
    line('the same two of the handler that stores nothing: p99', 'ms', bareStorm),
    line('and the burst', 'ms', bareBurst),
    line('start until ready', 'ms', ready, { below: 1000 }),
    line('memory of start after that load', 'MB', memory, { below: 250 }),
  ];
}
