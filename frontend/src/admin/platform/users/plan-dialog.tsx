import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useChange } from '../../ui/use-change';
import { calledName, plans, type Plan, type UserDetail } from './user';

interface Props {
  user: UserDetail;
  open: boolean;
  onClose: () => void;
}

const GIB = 2 ** 30;
const limits = ['zones', 'people', 'gigabytes', 'mails', 'invites'] as const;
type Limit = (typeof limits)[number];

/** Grants a plan without payment, with figures agreed on for enterprise. */
export function PlanDialog({ user, open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <PlanForm user={user} onClose={onClose} />
    </FormDialog>
  );
}

type Values = { plan: Plan } & Record<Limit, string>;

/** The limits as they are now, for the fields; an empty field is no limit. */
function limitsOf({ plan, usage, invitesADay }: UserDetail): Record<Limit, string> {
  const of = (metric: string, unit = 1) => {
    const allowed = plan === 'enterprise' ? usage.find((row) => row.metric === metric)?.allowed : null;
    return allowed === null || allowed === undefined ? '' : String(Math.floor(allowed / unit));
  };
  const invites = plan === 'enterprise' && invitesADay !== null ? String(invitesADay) : '';
  return { zones: of('zones'), people: of('people'), gigabytes: of('bytes', GIB), mails: of('mails'), invites };
}

const isLimit = (text: string) => /^\d{0,12}$/.test(text.trim());
const toLimit = (text: string, unit = 1) => (text.trim() === '' ? null : Number(text) * unit);

function toGrant({ plan, zones, people, gigabytes, mails, invites }: Values): Schema<'GrantPlanDto'> {
  if (plan !== 'enterprise') return { plan };
  const agreed = { zones: toLimit(zones), people: toLimit(people), mails: toLimit(mails), invites: toLimit(invites) };
  return { plan, limits: { ...agreed, bytes: toLimit(gigabytes, GIB) } };
}

function PlanForm({ user, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const grant = useChange({
    resource: 'users',
    call: (body: Schema<'GrantPlanDto'>) =>
      api.PATCH('/api/admin/users/{id}/plan', { params: { path: { id: user.id } }, body }),
    done: () => t('plan.granted'),
    failed: t('plan.failed'),
  });
  const form = useForm<Values>({
    keep: { as: `admin.user.${user.id}.plan`, fields: ['plan', ...limits], overSaved: true },
    initial: { plan: (user.grantedPlan ?? 'free') as Plan, ...limitsOf(user) },
    validate: (values) =>
      Object.fromEntries(
        limits.filter((limit) => !isLimit(values[limit])).map((limit) => [limit, t('plan.notANumber')]),
      ),
    submit: async (values) => {
      await grant.mutateAsync(toGrant(values));
      onClose();
    },
  });
  return (
    <DialogForm title={t('plan.title', { name: calledName(user) })} form={form} submit={t('plan.save')}>
      <ChoiceField
        {...form.field('plan')}
        label={t('plan.granted_')}
        help={t('plan.help')}
        options={plans.map((value) => ({
          value,
          label: value === 'free' ? t('plan.none') : common(`plans.${value}`),
        }))}
        onChange={(plan) => form.set('plan', plan)}
      />
      {form.values.plan === 'enterprise' &&
        limits.map((limit) => (
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
