import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitle } from '../../../shared/hooks/use-title';

interface Props {
  title: string;
  text: string;
  /** Number of the step, from 1; not shown if it is the only one. */
  stepNumber?: number;
  stepCount?: number;
  children: ReactNode;
}

/** The card around a setup step. Focuses its heading, which contains the step number. */
export function SetupCard({ title, text, stepNumber = 1, stepCount = 1, children }: Props) {
  const { t } = useTranslation('setup');
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (stepCount > 1) heading.current?.focus();
  }, [stepCount]);
  return (
    <Card sx={{ width: '100%', maxWidth: 560 }}>
      <CardContent sx={{ p: { xs: 5, sm: 8 }, '&:last-child': { pb: { xs: 5, sm: 8 } } }}>
        <Typography ref={heading} variant="h1" tabIndex={-1} sx={{ mb: 1, outline: 'none' }}>
          {stepCount > 1 && (
            <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block', mb: 1 }}>
              {t('step', { at: stepNumber, count: stepCount })}{' '}
            </Typography>
          )}
          {title}
        </Typography>
        <Typography color="textSecondary" sx={{ mb: 6 }}>
          {text}
        </Typography>
        {children}
      </CardContent>
    </Card>
  );
}
