// The pricing write-up: what customers read under Pricing, as they read it until it is edited.
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import Typography from "@mui/material/Typography";
import { useId, useMemo } from "react";
import { useInput } from "react-admin";
import { usePart } from "../../design/part";
import { pure, WriteUp } from "../../design/WriteUp";
import { Setting, SettingPage } from "../form/SettingPage";
import { HELP, written } from "./pricing";

export default function SetPricing() {
  return (
    <SettingPage
      title="Set Pricing"
      text="What customers read on their Pricing page. It promises nothing by itself: prices are set under SMS and Paystack."
    >
      <Setting
        resource="set-pricing"
        save="Save pricing write up"
        failedToGet="Failed to get About Us."
        failedToSet="Failed to set pricing details."
      >
        <Text />
      </Setting>
    </SettingPage>
  );
}

/** Shown until the editor is there: nothing can be typed before, so nothing that is typed is lost. */
function Text() {
  const { Component: PricingEditor, isLoading, want } = usePart(() => import("./PricingEditor"));
  return PricingEditor ? <PricingEditor /> : <AsRead loading={isLoading} onEdit={() => void want()} />;
}

/** `loading`: the editor is on its way. */
function AsRead({ loading, onEdit }: { loading: boolean; onEdit: () => void }) {
  const id = useId();
  const { field, fieldState } = useInput({ source: "content", validate: written });
  const html = useMemo(() => pure(String(field.value ?? "")), [field.value]);
  const empty = written(html) !== undefined;
  return (
    <Box sx={{ width: "100%", mb: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, mb: 0.5 }}>
        <Typography id={id} variant="body2" color="textSecondary" sx={{ flex: 1 }}>
          Pricing write up
        </Typography>
        <Button
          size="small"
          variant="outlined"
          startIcon={<EditOutlined />}
          loading={loading}
          loadingPosition="start"
          onClick={onEdit}
        >
          {empty ? "Write" : "Edit"}
        </Button>
      </Box>
      <Box
        role="region"
        aria-labelledby={id}
        sx={{
          minHeight: 280,
          p: 1.5,
          border: 1,
          borderColor: fieldState.error ? "error.main" : "divider",
          borderRadius: 1,
        }}
      >
        {empty ? (
          <Typography color="textSecondary">Nothing is written yet.</Typography>
        ) : (
          <WriteUp html={html} />
        )}
      </Box>
      <FormHelperText error={fieldState.invalid}>{fieldState.error?.message ?? HELP}</FormHelperText>
    </Box>
  );
}
