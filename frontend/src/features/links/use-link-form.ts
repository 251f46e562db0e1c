import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { toast } from '../../shared/toast/toast-store';
import { useUpdateLink, useCreateLink, type LinkItem, type NewLink } from './api/use-links';
import { dateInTimeZone, defaultDuration, defaultOffset, toInstant } from './link-time';

/** Options for the expiry other than durations. */
export const KEEP_EXPIRY = 'keep';
export const CUSTOM_EXPIRY = 'custom';

const DAY = 86_400_000;

/** Returns the initial field values. */
const initialValuesOf = (link: LinkItem | undefined) => ({
  name: link?.name ?? '',
  duration: link ? KEEP_EXPIRY : String(defaultDuration),
  date: dateInTimeZone(Date.now() + 2 * DAY, 'UTC'),
  time: '12:00',
  offset: defaultOffset as string,
  maxUses: link?.maxUses == null ? '' : String(link.maxUses),
  membershipDays: link?.membershipDays == null ? '' : String(link.membershipDays),
  password: '',
  removePassword: false as boolean,
});

type Values = ReturnType<typeof initialValuesOf>;

/** Fields kept in the stored form draft: all except the password. */
const persistedFields = ['name', 'duration', 'date', 'time', 'offset', 'maxUses', 'membershipDays'] as const;

/**
 * Form of a temporary link, new or edited.
 * @param onDone called with the token of a new link
 */
export function useLinkForm(zoneId: number, link: LinkItem | undefined, onDone: (token?: string) => void) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const create = useCreateLink(zoneId);
  const updateLink = useUpdateLink();
  const form = useForm<Values>({
    initial: initialValuesOf(link),
    draft: {
      key: link ? `link.${link.id}` : `zone.${zoneId}.new-link`,
      fields: persistedFields,
      replacesSaved: link !== undefined,
    },
    validate: (values) => ({
      name: values.name.trim() ? undefined : t('form.nameRequired'),
      date: values.duration !== CUSTOM_EXPIRY || isFuture(instantOf(values)) ? undefined : t('form.badTime'),
      maxUses: isOptionalCount(values.maxUses) ? undefined : t('form.badUses'),
      membershipDays: isOptionalCount(values.membershipDays) ? undefined : t('form.badUses'),
      password: isPasswordLengthValid(values) ? undefined : t('form.passwordShort'),
    }),
    submit: async (values) => {
      if (link) {
        await updateLink.mutateAsync({ id: link.id, ...changesOf(values, link) });
        toast.success(t('saved'));
        return onDone();
      }
      const { token } = await create.mutateAsync(toRequestBody(values, false));
      toast.success(t('created'));
      onDone(token);
    },
    onFailure: (error) => toast.error(t(link ? 'changeFailed' : 'createFailed'), errorText(error)),
  });
  return form;
}

const instantOf = ({ date, time, offset }: Values) => toInstant(date, time, offset);
const isFuture = (instant: string | null) => instant !== null && Date.parse(instant) > Date.now();
/** Empty means no limit. */
const isOptionalCount = (text: string) => text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim());
const parseOptionalCount = (text: string) => (text.trim() === '' ? null : Number(text));
const isPasswordLengthValid = ({ password, removePassword }: Values) =>
  removePassword || password === '' || (password.length >= 4 && password.length <= 128);

/** Returns only the changed fields, so that an outdated window doesn't overwrite the others. */
function changesOf(values: Values, link: LinkItem): Partial<NewLink> {
  const { name, maxUses, membershipDays, ...rest } = toRequestBody(values, true);
  return {
    ...rest,
    ...(name !== link.name && { name }),
    ...(maxUses !== link.maxUses && { maxUses }),
    ...(membershipDays !== link.membershipDays && { membershipDays }),
  };
}

/** Returns the request body; for an edited link, expiry and password are included only if they were changed. */
function toRequestBody(values: Values, isUpdate: boolean): NewLink {
  const { name, duration, maxUses, membershipDays, password, removePassword } = values;
  const expiryField =
    duration === CUSTOM_EXPIRY
      ? { expiresAt: instantOf(values)! }
      : duration === KEEP_EXPIRY
        ? {}
        : { expiresInHours: Number(duration) };
  const passwordField = isUpdate && removePassword ? { password: null } : password === '' ? {} : { password };
  return {
    name: name.trim(),
    ...expiryField,
    maxUses: parseOptionalCount(maxUses),
    membershipDays: parseOptionalCount(membershipDays),
    ...passwordField,
  };
}
