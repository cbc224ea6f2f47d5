// The mark: a talking drum, its two heads held by cords. Takes the colour of its text.
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <ellipse cx="16" cy="6" rx="10" ry="3.2" />
        <path d="M6 6.4 12.8 16 6 25.6M26 6.4 19.2 16 26 25.6M6 25.8c0 1.8 4.5 3.2 10 3.2s10-1.4 10-3.2M11.5 9 14.5 16l-3 12M20.5 9l-3 7 3 12" />
      </g>
    </svg>
  );
}
