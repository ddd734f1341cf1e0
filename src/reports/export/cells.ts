/** How tables are written: for Excel as it is set up in Ecuador, or for programs. */
export interface CsvStyle {
  /** At the head of each file: Excel takes it for UTF-8 then. */
  bom: boolean;
  delimiter: ';' | ',';
  /** An amount "1234.50" as this style writes it. */
  amount(value: string): string;
  /** Digits that are a name and no number: an access key, a cédula with its leading zero. */
  digits(value: string): string;
  /** What people wrote. */
  text(value: string): string;
}

/**
 * What a cell must not begin with when people wrote it: a spreadsheet takes it for a formula (OWASP, "CSV Injection").
 * Full-width forms are read as their plain ones by some.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

const harmless = (value: string): string => (formula.test(value) ? `'${value}` : value);

/** Decimal comma and semicolons, as es-EC has them; digits as ="…", or Excel would round an access key to 15 figures. */
export const excel: CsvStyle = {
  bom: true,
  delimiter: ';',
  amount: (value) => value.replace('.', ','),
  digits: (value) => (/^\d+$/.test(value) ? `="${value}"` : harmless(value)),
  text: harmless,
};

/** RFC 4180 with a decimal point: nothing but the values. */
export const plain: CsvStyle = {
  bom: false,
  delimiter: ',',
  amount: (value) => value,
  digits: harmless,
  text: harmless,
};
