import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useAdminMutation } from '../../ui/use-admin-mutation';
import { getDisplayName, plans, type Plan, type UserDetail } from './user';

interface Props {
  user: UserDetail;
  open: boolean;
  onClose: () => void;
}

const GIB = 2 ** 30;
const limitFields = ['zones', 'people', 'gigabytes', 'mails', 'invites'] as const;
type LimitField = (typeof limitFields)[number];

/** Grants a plan without payment; enterprise plans have individual limits. */
export function GrantPlanDialog({ user, open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <GrantPlanForm user={user} onClose={onClose} />
    </FormDialog>
  );
}

type PlanFormValues = { plan: Plan } & Record<LimitField, string>;

/** The current limits as field values; an empty field means unlimited. */
function toLimitFields({ plan, usage, invitesADay }: UserDetail): Record<LimitField, string> {
  const formatLimit = (metric: string, unit = 1) => {
    const allowed = plan === 'enterprise' ? usage.find((row) => row.metric === metric)?.allowed : null;
    return allowed === null || allowed === undefined ? '' : String(Math.floor(allowed / unit));
  };
  const invites = plan === 'enterprise' && invitesADay !== null ? String(invitesADay) : '';
  return {
    zones: formatLimit('zones'),
    people: formatLimit('people'),
    gigabytes: formatLimit('bytes', GIB),
    mails: formatLimit('mails'),
    invites,
  };
}

const isValidLimit = (input: string) => /^\d{0,12}$/.test(input.trim());
const parseLimit = (input: string, unit = 1) => (input.trim() === '' ? null : Number(input) * unit);

function toGrant({ plan, zones, people, gigabytes, mails, invites }: PlanFormValues): Schema<'GrantPlanDto'> {
  if (plan !== 'enterprise') return { plan };
  const countLimits = {
    zones: parseLimit(zones),
    people: parseLimit(people),
    mails: parseLimit(mails),
    invites: parseLimit(invites),
  };
  return { plan, limits: { ...countLimits, bytes: parseLimit(gigabytes, GIB) } };
}

function GrantPlanForm({ user, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const grantPlan = useAdminMutation({
    resource: 'users',
    call: (body: Schema<'GrantPlanDto'>) =>
      api.PATCH('/api/admin/users/{id}/plan', { params: { path: { id: user.id } }, body }),
    successMessage: () => t('plan.granted'),
    errorTitle: t('plan.failed'),
  });
  const form = useForm<PlanFormValues>({
    draft: { key: `admin.user.${user.id}.plan`, fields: ['plan', ...limitFields], replacesSaved: true },
    initial: { plan: (user.grantedPlan ?? 'free') as Plan, ...toLimitFields(user) },
    validate: (values) =>
      Object.fromEntries(
        limitFields.filter((limit) => !isValidLimit(values[limit])).map((limit) => [limit, t('plan.notANumber')]),
      ),
    submit: async (values) => {
      await grantPlan.mutateAsync(toGrant(values));
      onClose();
    },
  });
  return (
    <DialogForm title={t('plan.title', { name: getDisplayName(user) })} form={form} submitLabel={t('plan.save')}>
      <ChoiceField
        {...form.field('plan')}
        label={t('plan.granted_')}
        help={t('plan.help')}
        options={plans.map((value) => ({
          value,
          label: value === 'free' ? t('plan.none') : tCommon(`plans.${value}`),
        }))}
        onChange={(plan) => form.set('plan', plan)}
      />
      {form.values.plan === 'enterprise' &&
        limitFields.map((limit) => (
          <FormField
            key={limit}
            {...form.field(limit)}
            label={t(`plan.${limit}`)}
            help={t('plan.emptyIsNone')}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
    </DialogForm>
  );
}
