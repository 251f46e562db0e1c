import CloudUploadRounded from '@mui/icons-material/CloudUploadRounded';
import Box from '@mui/material/Box';

interface Props {
  text: string;
  /** Says what is going on, for screen readers too; otherwise it only accompanies a gesture of the mouse. */
  isStatus?: boolean;
}

/** Covers the list while files are dragged over the page, and while dropped folders are read. */
export function DropOverlay({ text, isStatus = false }: Props) {
  return (
    <Box
      {...(isStatus ? { role: 'status' } : { 'aria-hidden': true })}
      sx={{
        position: 'absolute',
        inset: -8,
        zIndex: 2,
        display: 'flex',
        justifyContent: 'center',
        alignItems: 'flex-start',
        pt: 16,
        border: 2,
        borderStyle: 'dashed',
        borderColor: 'primary.main',
        borderRadius: 2,
        pointerEvents: 'none',
        '&::before': { content: '""', position: 'absolute', inset: 0, bgcolor: 'tint.accent', opacity: 0.6 },
      }}
    >
      <Box
        sx={{
          position: 'sticky',
          top: '40vh',
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          px: 4,
          py: 3,
          maxWidth: '90%',
          borderRadius: 1,
          bgcolor: 'primary.main',
          color: 'primary.contrastText',
          typography: 'subtitle2',
          boxShadow: (theme) => theme.vars?.palette.float,
          overflowWrap: 'anywhere',
        }}
      >
        <CloudUploadRounded />
        {text}
      </Box>
    </Box>
  );
}
