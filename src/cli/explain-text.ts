/** What explanations share: how figures and levels are written. */

export const signed = (amount: string): string => (/^-|^0+(\.0+)?$/.test(amount) ? amount : `+${amount}`);
export const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
