import { expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { noon } from '../samples.ts';

export function keyDigitsContract(open: OpenLedger): void {
  const issuerOf = (account: string) =>
    ({ account, ruc: '1790012345001', ambiente: 1, codDoc: '01' }) as const;
  const [one, other] = ['123456781', '876543211'];
  const at = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

  test('free digits are constant once two documents in a row bore them, by account, issuer, ambiente and type', async () => {
    const { keyDigits } = await open();
    const issuer = issuerOf('una');
    const learn = (digits: string) => keyDigits.learn(issuer, digits, noon.toISOString());
    await learn(one);
    await learn(other);
    await learn(one);
    expect(await keyDigits.constant(issuer)).toBe(null);
    await learn(one);
    await learn(one);
    expect(await keyDigits.constant(issuer)).toBe(one);
    for (const another of [{ account: 'otra' }, { ruc: '1790016919001' }, { ambiente: 2 }, { codDoc: '04' }])
      expect(await keyDigits.constant({ ...issuer, ...another } as typeof issuer)).toBe(null);
  });

  test('digits that varied are learned anew, and only from what was sent afterwards', async () => {
    const { keyDigits } = await open();
    const issuer = issuerOf('dos');
    const learn = (digits: string, sentAt: Date) => keyDigits.learn(issuer, digits, sentAt.toISOString());
    await learn(one, at(0));
    await learn(one, at(1));
    await keyDigits.varied(issuer, at(5));
    for (const seconds of [2, 3, 5]) await learn(one, at(seconds));
    expect(await keyDigits.constant(issuer)).toBe(null);
    await learn(other, at(6));
    await learn(other, at(7));
    expect(await keyDigits.constant(issuer)).toBe(other);
  });

  test('of what is learned by several processes at once nothing is lost', async () => {
    const { keyDigits } = await open();
    const issuer = issuerOf('tres');
    await Promise.all([1, 2, 3, 4].map((n) => keyDigits.learn(issuer, one, at(n).toISOString())));
    expect(await keyDigits.constant(issuer)).toBe(one);
  });
}
