import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';

interface Props {
  label: string;
  file: File | null;
  onChoose: (file: File) => void;
}

/** Button to choose a CSV file, with the name of the chosen one. */
export function FileField({ label, file, onChoose }: Props) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      <Button startIcon={<UploadFileRounded />} onClick={() => input.current?.click()}>
        {t('import.choose')}
      </Button>
      <input
        ref={input}
        className="z-visually-hidden"
        type="file"
        tabIndex={-1}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        aria-label={label}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) onChoose(chosen);
          event.target.value = '';
        }}
      />
      <Typography color="textSecondary" sx={{ minWidth: 0, overflowWrap: 'anywhere' }} aria-live="polite">
        {file ? `${file.name} · ${format.size(file.size)}` : t('import.noFile')}
      </Typography>
    </Box>
  );
}
