// Tabs by kind of message; the chosen one is in the address.
import Box from "@mui/material/Box";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import type { ReactNode } from "react";
import { KINDS } from "../../design/campaign/outcomes";

interface Props {
  label: string;
  /** The empty text is all kinds, where there is such a tab. */
  value: string;
  onChange: (kind: string) => void;
  all?: boolean;
  /** Tabs after those of the kinds. */
  more?: readonly { code: string; label: string }[];
  children: ReactNode;
}

const idOf = (kind: string) => `kind-${kind || "all"}`;

export function KindTabs({ label, value, onChange, all = false, more = [], children }: Props) {
  const tabs = [...(all ? [{ code: "", label: "All" }] : []), ...KINDS, ...more];
  return (
    <>
      <Tabs
        value={value}
        onChange={(_, kind: string) => onChange(kind)}
        aria-label={label}
        variant="scrollable"
        allowScrollButtonsMobile
        scrollButtons={false}
        sx={{ mb: 2, borderBottom: 1, borderColor: "divider" }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.code}
            value={tab.code}
            label={tab.label}
            id={idOf(tab.code)}
            aria-controls={tab.code === value ? "kind-panel" : undefined}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id="kind-panel" aria-labelledby={idOf(value)}>
        {children}
      </Box>
    </>
  );
}
