import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { toast } from '../../shared/toast/toast-store';
import { useChangeLink, useCreateLink, type LinkItem, type NewLink } from './api/use-links';
import { dayOf, defaultDuration, defaultOffset, toInstant } from './link-time';

/** The choices of when a link ends, beside the durations. */
export const keep = 'keep';
export const custom = 'custom';

const DAY = 86_400_000;

/** The fields of a link as they are typed. */
const initialOf = (link: LinkItem | undefined) => ({
  name: link?.name ?? '',
  duration: link ? keep : String(defaultDuration),
  date: dayOf(Date.now() + 2 * DAY, 'UTC'),
  time: '12:00',
  offset: defaultOffset as string,
  maxUses: link?.maxUses == null ? '' : String(link.maxUses),
  membershipDays: link?.membershipDays == null ? '' : String(link.membershipDays),
  password: '',
  removePassword: false as boolean,
});

type Values = ReturnType<typeof initialOf>;

/** All but its password. */
const kept = ['name', 'duration', 'date', 'time', 'offset', 'maxUses', 'membershipDays'] as const;

/**
 * The form of a temporary link, new or changed.
 * @param onDone gets the token of a new one
 */
export function useLinkForm(zoneId: number, link: LinkItem | undefined, onDone: (token?: string) => void) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const create = useCreateLink(zoneId);
  const change = useChangeLink();
  const form = useForm<Values>({
    initial: initialOf(link),
    keep: { as: link ? `link.${link.id}` : `zone.${zoneId}.new-link`, fields: kept, overSaved: link !== undefined },
    validate: (values) => ({
      name: values.name.trim() ? undefined : t('form.nameRequired'),
      date: values.duration !== custom || isAhead(instantOf(values)) ? undefined : t('form.badTime'),
      maxUses: isCount(values.maxUses) ? undefined : t('form.badUses'),
      membershipDays: isCount(values.membershipDays) ? undefined : t('form.badUses'),
      password: passwordFits(values) ? undefined : t('form.passwordShort'),
    }),
    submit: async (values) => {
      if (link) {
        await change.mutateAsync({ id: link.id, ...changesOf(values, link) });
        toast.success(t('saved'));
        return onDone();
      }
      const { token } = await create.mutateAsync(bodyOf(values, false));
      toast.success(t('created'));
      onDone(token);
    },
    onFailure: (error) => toast.error(t(link ? 'changeFailed' : 'createFailed'), errorText(error)),
  });
  return form;
}

const instantOf = ({ date, time, offset }: Values) => toInstant(date, time, offset);
const isAhead = (instant: string | null) => instant !== null && Date.parse(instant) > Date.now();
/** Blank stands for no limit. */
const isCount = (text: string) => text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim());
const countOf = (text: string) => (text.trim() === '' ? null : Number(text));
const passwordFits = ({ password, removePassword }: Values) =>
  removePassword || password === '' || (password.length >= 4 && password.length <= 128);

/** What is sent of a changed link: only what was touched, so that an older window leaves the rest as it is. */
function changesOf(values: Values, link: LinkItem): Partial<NewLink> {
  const { name, maxUses, membershipDays, ...rest } = bodyOf(values, true);
  return {
    ...rest,
    ...(name !== link.name && { name }),
    ...(maxUses !== link.maxUses && { maxUses }),
    ...(membershipDays !== link.membershipDays && { membershipDays }),
  };
}

/** What is sent: of a changed link only the ends and passwords that were touched. */
function bodyOf(values: Values, changing: boolean): NewLink {
  const { name, duration, maxUses, membershipDays, password, removePassword } = values;
  const end =
    duration === custom
      ? { expiresAt: instantOf(values)! }
      : duration === keep
        ? {}
        : { expiresInHours: Number(duration) };
  const word = changing && removePassword ? { password: null } : password === '' ? {} : { password };
  return {
    name: name.trim(),
    ...end,
    maxUses: countOf(maxUses),
    membershipDays: countOf(membershipDays),
    ...word,
  };
}
