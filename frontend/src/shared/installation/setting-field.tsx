import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../forms/use-form';
import { PurposeChoice, type Purpose } from './purpose-choice';
import { ChoiceField } from '../ui/fields/choice-field';
import { FormField } from '../ui/fields/form-field';
import { canBeWritten, LegalTexts } from './legal-texts';
import { isText, type Setting, type Values } from './settings';

/** Settings whose label does not say everything. */
const explained = [
  ...(['name', 'address', 'mailFrom', 'contactEmail', 'companyAddress'] as const),
  ...(['termsUrl', 'privacyUrl', 'imprintUrl'] as const),
];
const isExplained = (key: string): key is (typeof explained)[number] => (explained as readonly string[]).includes(key);

interface Props {
  setting: Setting;
  form: Pick<ReturnType<typeof useForm<Values>>, 'field' | 'set' | 'values'>;
}

/** One setting with what says so: a field, or its value where a variable decides. */
export function SettingField({ setting, form }: Props) {
  const { t } = useTranslation('installation');
  const { key, value, source } = setting;
  if (key === 'purpose') {
    return <PurposeChoice value={form.values.purpose as Purpose} onChange={(chosen) => form.set(key, chosen)} />;
  }
  if (key === 'defaultPlan')
    return form.values.purpose === 'own' ? null : <DefaultPlan setting={setting} form={form} />;
  if (isText(key)) return null;
  const label = t(`${key}.label`);
  if (source === 'variable') return <Overridden label={label} setting={setting} />;
  const help = isExplained(key) ? t(`${key}.help`) : undefined;
  const left = source === 'default' ? value && t('emptyIs', { value }) : t('emptyIt');
  const field = (
    <FormField
      {...form.field(key)}
      label={label}
      help={[help, left].filter(Boolean).join(' ')}
      inputMode={key === 'contactEmail' ? 'email' : 'text'}
      autoComplete="off"
      optional
    />
  );
  if (!canBeWritten(key)) return field;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {field}
      <LegalTexts of={key} form={form} />
    </Box>
  );
}

const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;

/** What everybody has; of no meaning where nobody meets a limit. */
function DefaultPlan({ setting, form }: Props) {
  const { t } = useTranslation('installation');
  const { t: common } = useTranslation();
  const label = t('defaultPlan.label');
  if (setting.source === 'variable') {
    const value = common(`plans.${setting.value as 'free'}`);
    return <Overridden label={label} setting={{ ...setting, value }} />;
  }
  return (
    <ChoiceField
      {...form.field('defaultPlan')}
      label={label}
      help={t('defaultPlan.help')}
      options={plans.map((plan) => ({ value: plan, label: common(`plans.${plan}`) }))}
      onChange={(chosen) => form.set('defaultPlan', chosen)}
    />
  );
}

function Overridden({ label, setting: { value, variable } }: { label: string; setting: Setting }) {
  const { t } = useTranslation('installation');
  return (
    <Box role="group" aria-label={label}>
      <Typography variant="subtitle2">{label}</Typography>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{value}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {t('byVariable', { variable })}
      </Typography>
    </Box>
  );
}
