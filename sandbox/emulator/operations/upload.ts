import { z } from 'zod';
import { ruc } from '../accounts/company-fields.ts';
import { byField, type FieldErrors, readFields } from '../accounts/field-errors.ts';
import type { Call } from '../operation.ts';

/** What one upload route takes: a file by multipart, or the same bytes as base64 by JSON. */
export interface UploadRules<T extends z.ZodRawShape> {
  file: string;
  base64: string;
  /** The text fields beside it, `ruc` among them. */
  texts: z.ZodObject<T>;
  maxMegabytes: number;
}

export interface Upload<T> {
  texts: T;
  bytes: Buffer;
  /** The field the bytes came in, for what is wrong with them. */
  field: string;
}

export const megabyte = 1024 * 1024;

export const rucOnly = z.strictObject({ ruc });

/** The text fields and the bytes, by one method only; or what is wrong, by field. */
export async function readUpload<T extends z.ZodRawShape>(
  { json, form }: Pick<Call, 'json' | 'form'>,
  rules: UploadRules<T>,
): Promise<Upload<z.infer<z.ZodObject<T>>> | { errors: FieldErrors }> {
  const sent = await form();
  const field = sent ? rules.file : rules.base64;
  const texts: unknown = sent ? sent.fields : json();
  const others = sent ? Object.keys(sent.files).filter((name) => name !== rules.file) : [];
  const content = sent ? fileBytes(sent, rules) : base64Bytes(texts, rules);
  const read = readFields(rules.texts, without(texts, [rules.file, rules.base64]));
  const found = [
    ...otherMethod(sent ? [...Object.keys(sent.fields), ...others] : keysOf(texts), rules, sent !== null),
    ...others
      .filter((name) => name !== rules.base64)
      .map((name) => [name, `El archivo ${name} no existe en esta operación.`] as const),
    ...(typeof content === 'string' ? [[field, content] as const] : tooLarge(content, field, rules)),
  ];
  if ('errors' in read) return { errors: { ...byField(found), ...read.errors } };
  if (found.length > 0 || typeof content === 'string') return { errors: byField(found) };
  return { texts: read.fields, bytes: content, field };
}

type Found = readonly (readonly [field: string, sentence: string])[];
type Names = Pick<UploadRules<z.ZodRawShape>, 'file' | 'base64'>;

function otherMethod(names: readonly string[], { file, base64 }: Names, multipart: boolean): Found {
  const wrong = multipart ? base64 : file;
  if (!names.includes(wrong)) return [];
  return [
    [
      wrong,
      `Use solo un método por solicitud: ${file} en multipart/form-data o ${base64} en JSON, no ambos.`,
    ],
  ];
}

function fileBytes(
  { fields, files }: NonNullable<Awaited<ReturnType<Call['form']>>>,
  { file }: Names,
): Buffer | string {
  const sent = Object.hasOwn(files, file) ? files[file] : undefined;
  if (!sent) {
    return Object.hasOwn(fields, file)
      ? `El campo ${file} debe llegar como archivo (una parte con filename), no como texto.`
      : `El campo ${file} es obligatorio.`;
  }
  return sent.bytes.length > 0 ? sent.bytes : `El archivo de ${file} está vacío.`;
}

function base64Bytes(body: unknown, { base64 }: Names): Buffer | string {
  const text = keysOf(body).includes(base64) ? (body as Record<string, unknown>)[base64] : undefined;
  if (text === undefined) return `El campo ${base64} es obligatorio.`;
  if (typeof text !== 'string') return `El campo ${base64} debe ser un texto.`;
  if (text.startsWith('data:')) return `El campo ${base64} debe ser solo el base64, sin el prefijo data:.`;
  if (text === '') return `El campo ${base64} está vacío.`;
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return `El campo ${base64} no es base64: solo admite A-Z, a-z, 0-9, +, / y = al final, sin espacios.`;
  }
  return Buffer.from(text, 'base64');
}

function tooLarge(bytes: Buffer, field: string, { maxMegabytes }: { maxMegabytes: number }): Found {
  if (bytes.length <= maxMegabytes * megabyte) return [];
  return [[field, `El archivo de ${field} pesa más de ${maxMegabytes} MB, que es el máximo.`]];
}

/** Bytes as base64 text, with room for `maxMegabytes` of them. */
export const base64Text = (maxMegabytes: number) =>
  z.string().meta({ contentEncoding: 'base64', maxLength: Math.ceil((maxMegabytes * megabyte) / 3) * 4 });

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

function without(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
