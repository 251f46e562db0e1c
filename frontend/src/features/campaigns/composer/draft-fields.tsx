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
import { NativeSelect } from '../components/native-select';
import { ContentEditor } from './editor/content-editor';
import type { RequiredField, DraftContent } from './draft-content';

interface Props {
  content: DraftContent;
  errors: Partial<Record<RequiredField, string>>;
  /** Changes when the content is replaced from outside the editor. */
  contentKey: number;
  onChange: (part: Partial<DraftContent>) => void;
}

/** The fields of a campaign. */
export function DraftFields({ content, errors, contentKey, onChange }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const { data: zones = [] } = $api.useQuery('get', '/api/zones');
  const textFieldProps = (name: 'name' | 'subject') => ({
    id: `${id}-${name}`,
    name,
    value: content[name],
    error: errors[name],
    maxLength: 255,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  /** A campaign without a name gets its subject as the name. */
  const fillName = () => {
    if (!content.name.trim() && content.subject.trim()) onChange({ name: content.subject.trim() });
  };
  return (
    <Stack spacing={5}>
      <FormField {...textFieldProps('name')} label={t('compose.name')} help={t('compose.nameHelp')} onBlur={fillName} />
      <Box
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <ZoneSelect
          id={`${id}-zone`}
          name="zone"
          label={t('compose.zone')}
          emptyLabel={t('compose.noZone')}
          error={errors.zone}
          zones={zones}
          value={content.zoneId}
          onChange={(zoneId) => onChange({ zoneId })}
        />
        <NativeSelect
          label={t('audience.label')}
          value={content.targetAudience}
          onChange={(value) => onChange({ targetAudience: value as Audience })}
        >
          {audiences.map((audience) => (
            <option key={audience} value={audience}>
              {t(`audience.${audience}`)}
            </option>
          ))}
        </NativeSelect>
      </Box>
      <FormField {...textFieldProps('subject')} label={t('compose.subject')} onBlur={fillName} />
      <ContentEditor
        key={contentKey}
        value={content.htmlContent}
        error={errors.content}
        onChange={(htmlContent) => onChange({ htmlContent })}
      />
      <div>
        <FormControlLabel
          control={
            <Checkbox
              checked={content.trackingEnabled}
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
