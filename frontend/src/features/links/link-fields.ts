import { useTranslation } from 'react-i18next';
import type { FieldProps, FormErrors } from '../../shared/forms/use-form';
import { dateInTimeZone, defaultDuration, defaultOffset, toInstant } from './link-time';

/** Options for the expiry other than durations. */
export const KEEP_EXPIRY = 'keep';
export const CUSTOM_EXPIRY = 'custom';
export const NO_EXPIRY = 'never';

const DAY = 86_400_000;

/** What links of every kind have. */
export interface EditableLink {
  readonly name: string;
  /** Null means never. */
  readonly expiresAt: string | null;
  /** Null means unlimited. */
  readonly maxUses: number | null;
  readonly hasPassword: boolean;
}

/**
 * Returns the initial values of the fields that the forms of all links have.
 * @param link undefined for a new link, which then starts with `fresh`
 */
export const initialFieldsOf = (
  link: EditableLink | undefined,
  fresh: { name: string; duration: string } = { name: '', duration: String(defaultDuration) },
) => ({
  name: link?.name ?? fresh.name,
  duration: link ? (link.expiresAt === null ? NO_EXPIRY : KEEP_EXPIRY) : fresh.duration,
  date: dateInTimeZone(Date.now() + 2 * DAY, 'UTC'),
  time: '12:00',
  offset: defaultOffset as string,
  maxUses: toCountField(link?.maxUses),
  password: '',
  removePassword: false as boolean,
});

export type LinkFields = ReturnType<typeof initialFieldsOf>;

/** What the shared fields need of the form that they are in. */
export interface LinkFieldsForm {
  readonly values: LinkFields;
  readonly field: (name: keyof LinkFields) => FieldProps;
  set<K extends keyof LinkFields>(name: K, value: LinkFields[K]): void;
}

/** Fields kept in the stored form draft: all except the password. */
export const persistedFields = ['name', 'duration', 'date', 'time', 'offset', 'maxUses'] as const;

/** Returns a function that checks the shared fields. */
export function useFieldsValidation(): (values: LinkFields) => FormErrors<LinkFields> {
  const { t } = useTranslation('links');
  return (values) => ({
    name: values.name.trim() ? undefined : t('form.nameRequired'),
    date: values.duration !== CUSTOM_EXPIRY || isFuture(instantOf(values)) ? undefined : t('form.badTime'),
    maxUses: isOptionalCount(values.maxUses) ? undefined : t('form.badUses'),
    password: isPasswordLengthValid(values) ? undefined : t('form.passwordShort'),
  });
}

const instantOf = ({ date, time, offset }: LinkFields) => toInstant(date, time, offset);
const isFuture = (instant: string | null) => instant !== null && Date.parse(instant) > Date.now();
const isPasswordLengthValid = ({ password, removePassword }: LinkFields) =>
  removePassword || password === '' || (password.length >= 6 && password.length <= 128);

/** Whether a field holds a whole number, or nothing, which means no limit. */
export const isOptionalCount = (text: string) => text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim());
export const parseOptionalCount = (text: string) => (text.trim() === '' ? null : Number(text));
export const toCountField = (count: number | null | undefined) => (count == null ? '' : String(count));

/** Returns the request fields of a new link. */
export const toNewLink = (values: LinkFields) => ({
  name: values.name.trim(),
  ...expiryOf(values),
  maxUses: parseOptionalCount(values.maxUses),
  ...(values.password !== '' && { password: values.password }),
});

/** Returns only the changed request fields, so that an outdated window doesn't overwrite the others. */
export function toLinkChanges(values: LinkFields, link: EditableLink) {
  const [name, maxUses] = [values.name.trim(), parseOptionalCount(values.maxUses)];
  return {
    ...expiryOf(values),
    ...(values.removePassword ? { password: null } : values.password !== '' && { password: values.password }),
    ...(name !== link.name && { name }),
    ...(maxUses !== link.maxUses && { maxUses }),
  };
}

function expiryOf(values: LinkFields): { expiresAt?: string; expiresInHours?: number } {
  if (values.duration === KEEP_EXPIRY || values.duration === NO_EXPIRY) return {};
  if (values.duration === CUSTOM_EXPIRY) return { expiresAt: instantOf(values)! };
  return { expiresInHours: Number(values.duration) };
}
