import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { FormField } from '../../../shared/ui/fields/form-field';
import { ZoneSelect } from '../../../shared/ui/fields/zone-select';
import { audiences, type Audience } from '../api/use-campaigns';
import { Choice } from '../components/choice';
import { ContentEditor } from './editor/content-editor';
import type { Missing, Wording } from './wording';

interface Props {
  wording: Wording;
  errors: Partial<Record<Missing, string>>;
  /** Changes when the content comes from elsewhere than the editor. */
  contentKey: number;
  onChange: (part: Partial<Wording>) => void;
}

/** The fields of a campaign. */
export function WordingFields({ wording, errors, contentKey, onChange }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const { data: zones = [] } = $api.useQuery('get', '/api/zones');
  const text = (name: 'name' | 'subject') => ({
    id: `${id}-${name}`,
    name,
    value: wording[name],
    error: errors[name],
    maxLength: 255,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  /** A campaign that has no name yet is named by its subject. */
  const fillName = () => {
    if (!wording.name.trim() && wording.subject.trim()) onChange({ name: wording.subject.trim() });
  };
  return (
    <Stack spacing={5}>
      <FormField {...text('name')} label={t('compose.name')} help={t('compose.nameHelp')} onBlur={fillName} />
      <Box
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <ZoneSelect
          id={`${id}-zone`}
          name="zone"
          label={t('compose.zone')}
          none={t('compose.noZone')}
          error={errors.zone}
          zones={zones}
          value={wording.zoneId}
          onChange={(zoneId) => onChange({ zoneId })}
        />
        <Choice
          label={t('audience.label')}
          value={wording.targetAudience}
          onChange={(value) => onChange({ targetAudience: value as Audience })}
        >
          {audiences.map((audience) => (
            <option key={audience} value={audience}>
              {t(`audience.${audience}`)}
            </option>
          ))}
        </Choice>
      </Box>
      <FormField {...text('subject')} label={t('compose.subject')} onBlur={fillName} />
      <ContentEditor
        key={contentKey}
        value={wording.htmlContent}
        error={errors.content}
        onChange={(htmlContent) => onChange({ htmlContent })}
      />
      <div>
        <FormControlLabel
          control={
            <Checkbox
              checked={wording.trackingEnabled}
              onChange={(event) => onChange({ trackingEnabled: event.target.checked })}
            />
          }
          label={t('compose.tracking')}
        />
        <Typography variant="body2" color="textSecondary">
          {t('compose.trackingHelp')}
        </Typography>
      </div>
    </Stack>
  );
}
