/** The mark: a sun that rises behind a desk's edge. */
interface Props {
  size?: number;
}

export function Mark({ size = 28 }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="#14594d" />
      <path d="M7 21a9 9 0 0 1 18 0Z" fill="#f5b36b" />
      <path
        d="M16 5.5v3M6.9 9.4l2.1 2.1M25.1 9.4 23 11.5"
        stroke="#f5b36b"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M5 24.5h22" stroke="#fffefc" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
