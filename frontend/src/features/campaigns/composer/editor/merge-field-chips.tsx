import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { mergeFields, type MergeField } from '../../../../shared/format/merge-fields';

interface Props {
  onInsert: (field: MergeField) => void;
}

/** Buttons that insert a merge field at the cursor, without a dialog, so that typing continues in the text. */
export function MergeFieldChips({ onInsert }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {t('merge.insert')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {mergeFields.map((field) => (
          <Chip
            key={field}
            size="small"
            variant="outlined"
            label={t(`merge.${field}`)}
            onClick={() => onInsert(field)}
          />
        ))}
      </Box>
    </Box>
  );
}
