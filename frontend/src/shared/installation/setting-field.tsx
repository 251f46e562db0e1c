import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../forms/use-form';
import { PurposeChoice, type Purpose } from './purpose-choice';
import { ChoiceField } from '../ui/fields/choice-field';
import { FormField } from '../ui/fields/form-field';
import { hasLegalText, LegalTextFields } from './legal-texts';
import { isLegalTextKey, type Setting, type InstallationValues } from './settings';

/** Settings that need help text besides their label. */
const settingsWithHelp = [
  ...(['name', 'address', 'mailFrom', 'contactEmail', 'companyAddress'] as const),
  ...(['termsUrl', 'privacyUrl', 'imprintUrl'] as const),
];
const hasHelp = (key: string): key is (typeof settingsWithHelp)[number] =>
  (settingsWithHelp as readonly string[]).includes(key);

interface Props {
  setting: Setting;
  form: Pick<ReturnType<typeof useForm<InstallationValues>>, 'field' | 'set' | 'values'>;
}

/** One setting: a field, or a read-only value if an environment variable sets it. */
export function SettingField({ setting, form }: Props) {
  const { t } = useTranslation('installation');
  const { key, value, source } = setting;
  if (key === 'purpose') {
    return <PurposeChoice value={form.values.purpose as Purpose} onChange={(selected) => form.set(key, selected)} />;
  }
  if (key === 'defaultPlan')
    return form.values.purpose === 'own' ? null : <DefaultPlanField setting={setting} form={form} />;
  if (isLegalTextKey(key)) return null;
  const label = t(`${key}.label`);
  if (source === 'variable') return <OverriddenSetting label={label} setting={setting} />;
  const help = hasHelp(key) ? t(`${key}.help`) : undefined;
  const emptyHelp = source === 'default' ? value && t('emptyIs', { value }) : t('emptyIt');
  const field = (
    <FormField
      {...form.field(key)}
      label={label}
      help={[help, emptyHelp].filter(Boolean).join(' ')}
      inputMode={key === 'contactEmail' ? 'email' : 'text'}
      autoComplete="off"
      optional
    />
  );
  if (!hasLegalText(key)) return field;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {field}
      <LegalTextFields urlKey={key} form={form} />
    </Box>
  );
}

const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;

/** The plan that every user has by default; unused where no limits apply. */
function DefaultPlanField({ setting, form }: Props) {
  const { t } = useTranslation('installation');
  const { t: tCommon } = useTranslation();
  const label = t('defaultPlan.label');
  if (setting.source === 'variable') {
    const value = tCommon(`plans.${setting.value as 'free'}`);
    return <OverriddenSetting label={label} setting={{ ...setting, value }} />;
  }
  return (
    <ChoiceField
      {...form.field('defaultPlan')}
      label={label}
      help={t('defaultPlan.help')}
      options={plans.map((plan) => ({ value: plan, label: tCommon(`plans.${plan}`) }))}
      onChange={(chosen) => form.set('defaultPlan', chosen)}
    />
  );
}

function OverriddenSetting({ label, setting: { value, variable } }: { label: string; setting: Setting }) {
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
