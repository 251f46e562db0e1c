import { ValidationPipe, type ValidationError } from '@nestjs/common';
import type { ValidationOptions } from 'class-validator';
import { AppError, type LocalizedText } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';

/**
 * Maximum number of fields in a validation error, and of unknown ones among them: the response must not be larger than
 * the request.
 */
const MAX_REPORTED_FIELDS = 100;
const MAX_UNKNOWN_FIELDS = 20;

const invalid: LocalizedText = { en: 'Invalid input', tr: 'Geçersiz değer' };

/** Default messages by rule name. */
const defaults: Record<string, LocalizedText> = {
  isNotEmpty: { en: 'Required', tr: 'Zorunlu' },
  isDefined: { en: 'Required', tr: 'Zorunlu' },
  isEmail: { en: 'Invalid email', tr: 'Geçersiz e-posta' },
  whitelistValidation: { en: 'Unknown field.', tr: 'Bilinmeyen alan.' },
};

/** The message of a DTO rule in both languages: `@MinLength(8, localized('…', '…'))`. */
export function localized(en: string, tr: string): ValidationOptions {
  return { message: en, context: { en, tr } satisfies LocalizedText };
}

const MISSING_MESSAGE = 'zonary:missing-message';

/** The message of the whole error when a required DTO field is missing or empty: `@MissingMessage('…', '…')`. */
export function MissingMessage(en: string, tr: string): ClassDecorator {
  return (dto) => Reflect.defineMetadata(MISSING_MESSAGE, { en, tr } satisfies LocalizedText, dto);
}

/** Validates all bodies and queries against their DTOs; unknown fields are rejected. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => validationError(errors),
  });
}

/** Creates an error for a single field, for rules outside of DTOs. */
export function fieldError(field: string, sentence: LocalizedText): AppError {
  return commonErrors.VALIDATION_FAILED({}, { errors: { [field]: [sentence] } });
}

/** Creates the error for an invalid body or query, however many objects it contains. */
export function validationError(errors: ValidationError[]): AppError {
  const naming = { found: {}, fields: 0, unknown: 0 };
  collectErrors(errors, '', naming);
  const { status, code, sentence, details } = commonErrors.VALIDATION_FAILED({}, { errors: naming.found });
  return new AppError(status, code, missingMessageOf(errors) ?? sentence, details);
}

/** The message that the DTO declares, if one of its own fields is missing. */
function missingMessageOf(errors: ValidationError[]): LocalizedText | undefined {
  const missing = errors.find(({ value, constraints }) => constraints && (value == null || value === ''));
  const dto = missing?.target?.constructor;
  return dto && (Reflect.getMetadata(MISSING_MESSAGE, dto) as LocalizedText | undefined);
}

/** The fields collected for a response so far. */
interface ErrorReport {
  readonly found: Record<string, LocalizedText[]>;
  fields: number;
  unknown: number;
}

function collectErrors(errors: ValidationError[], prefix: string, naming: ErrorReport): void {
  for (const error of errors) {
    if (naming.fields >= MAX_REPORTED_FIELDS) return;
    const field = prefix + error.property;
    const rules = Object.keys(error.constraints ?? {});
    if (rules.length > 0 && !exceedsUnknownLimit(error, naming)) {
      naming.found[field] = rules.map((rule) => sentenceOf(error, rule));
      naming.fields++;
    }
    collectErrors(error.children ?? [], `${field}.`, naming);
  }
}

const exceedsUnknownLimit = ({ constraints }: ValidationError, naming: ErrorReport): boolean =>
  constraints?.whitelistValidation !== undefined && ++naming.unknown > MAX_UNKNOWN_FIELDS;

function sentenceOf(error: ValidationError, rule: string): LocalizedText {
  const own = error.contexts?.[rule] as LocalizedText | undefined;
  if (own && error.value !== undefined) return own;
  if (own && rule !== 'whitelistValidation') return own;
  return defaults[rule] ?? (error.value === undefined ? defaults.isDefined! : invalid);
}
